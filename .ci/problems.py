"""Random exact-cover problems, for the scripts that compare Farandole with programs of other authors."""


def draw(rng, is_plain, has_bounds=True):
    """Returns items as (name, low, high or None for secondary) and options as lists of (item, color).

    A plain problem has primary items only. Without bounds, each primary item is covered exactly once.
    """
    has_bounds = has_bounds and not is_plain
    primary, secondary = rng.randint(2, 9), 0 if is_plain else rng.randint(0, 4)
    items = []
    for k in range(primary):
        low = rng.randint(0, 2) if has_bounds and rng.random() < 0.2 else 1
        high = low + rng.randint(0, 2) if low != 1 or has_bounds and rng.random() < 0.2 else 1
        items.append((f"p{k}", low, max(high, 1)))
    items += [(f"s{k}", 0, None) for k in range(secondary)]
    options = []
    for _ in range(rng.randint(3, 40)):
        chosen = rng.sample(range(len(items)), rng.randint(1, min(4, len(items))))
        if not any(items[k][2] for k in chosen):
            chosen.append(rng.randrange(primary))
        color = lambda k: rng.choice([None, "r", "g"]) if items[k][2] is None else None
        options.append([(k, color(k)) for k in chosen])
    return items, options


def text(items, options, costs=()):
    """Writes a problem in the format dlx."""
    def head(name, low, high):
        return name if (low, high) == (1, 1) else f"{low}:{high}|{name}"
    primary = [head(*item) for item in items if item[2] is not None]
    secondary = [item[0] for item in items if item[2] is None]
    lines = [" ".join(primary + (["|"] + secondary if secondary else []))]
    for option in options:
        lines.append(" ".join(items[k][0] + (f":{color}" if color else "") for k, color in option))
    for place, cost in enumerate(costs, 1):
        lines[place] += f" |{cost}"
    return "\n".join(lines) + "\n"
