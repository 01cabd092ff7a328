//! Set problems: random sets, partitions, crew duties, timetables, designs, multiplicities and
//! independent parts.

use std::collections::BTreeSet;

use dlx::{Problem, Random};

use super::Draft;

pub(super) fn draw(count: usize, bound: usize, random: &mut Random) -> BTreeSet<usize> {
    let mut drawn = BTreeSet::new();
    while drawn.len() < count {
        drawn.insert(random.below(bound));
    }
    drawn
}

fn add(draft: &mut Draft, items: impl IntoIterator<Item = usize>) {
    let items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    draft.option(&items.join(" "));
}

fn numbered(count: usize) -> Draft {
    let mut draft = Draft::default();
    draft.items((0..count).map(|item| item.to_string()));
    draft
}

/// Adds options that form a planted cover. Each covers `size` items; the last may cover fewer.
fn plant(draft: &mut Draft, items: usize, size: usize, random: &mut Random) {
    let mut order: Vec<usize> = (0..items).collect();
    random.shuffle(&mut order);
    order.chunks(size).for_each(|set| add(draft, set.iter().copied()));
}

/// Random options that all cover the same number of items.
pub(super) fn random(size: &[usize]) -> Problem {
    let &[items, options, length, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = numbered(items);
    plant(&mut draft, items, length, random);
    for _ in 0..options {
        let set = draw(length, items, random);
        add(&mut draft, set);
    }
    draft.done()
}

/// Random options that cover 2 to `longest` items.
pub(super) fn mixed(size: &[usize]) -> Problem {
    let &[items, options, longest, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = numbered(items);
    plant(&mut draft, items, longest, random);
    for _ in 0..options {
        let set = draw(2 + random.below(longest - 1), items, random);
        add(&mut draft, set);
    }
    draft.done()
}

/// Random options that cover the same number of items, each repeated several times.
pub(super) fn duplicates(size: &[usize]) -> Problem {
    let &[items, options, length, times, seed] = size else { unreachable!("five numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = numbered(items);
    plant(&mut draft, items, length, random);
    for _ in 0..options {
        let set = draw(length, items, random);
        (0..times).for_each(|_| add(&mut draft, set.iter().copied()));
    }
    draft.done()
}

/// Random options of one or two primary items, and secondary items in three colors.
pub(super) fn colored(size: &[usize]) -> Problem {
    let &[items, others, options, length, seed] = size else { unreachable!("five numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = numbered(items);
    for _ in 0..options {
        let set = draw(1 + random.below(2), items, random);
        let entries: String = set.into_iter().map(|item| format!("{item} ")).collect();
        let colors = draw(length, others, random);
        let colors: String =
            colors.into_iter().map(|item| format!(" ?s{item}:{}", random.below(3))).collect();
        draft.option(&(entries + &colors));
    }
    draft.done()
}

/// Random options that each cover nearby items, numbered along a line.
pub(super) fn local(size: &[usize]) -> Problem {
    let &[items, width, options, seed] = size else { unreachable!("four numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = numbered(items);
    (0..items).step_by(2).for_each(|item| add(&mut draft, item..items.min(item + 2)));
    for _ in 0..options {
        let begin = random.below(items - width);
        let count = 2 + random.below(3);
        let set = draw(count, width, random);
        add(&mut draft, set.into_iter().map(|item| begin + item));
    }
    draft.done()
}

/// Partitions of a set into parts of at most `longest` items.
pub(super) fn set_partitions(size: &[usize]) -> Problem {
    let &[items, longest] = size else { unreachable!("two numbers") };
    let mut draft = numbered(items);
    for set in 1_usize..1 << items {
        if set.count_ones() as usize <= longest {
            add(&mut draft, (0..items).filter(|item| set >> item & 1 == 1));
        }
    }
    draft.done()
}

/// 3-partition: numbers between a quarter and a half of a sum are grouped into triples of that sum.
pub(super) fn three_partition(size: &[usize]) -> Problem {
    let &[triples, sum, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let range = sum / 4 + 1..sum.div_ceil(2);
    let mut numbers = Vec::new();
    while numbers.len() < 3 * triples {
        let [a, b] = [(); 2].map(|()| range.start + random.below(range.len()));
        if range.contains(&(sum - a - b)) {
            numbers.extend([a, b, sum - a - b]);
        }
    }
    let mut draft = numbered(numbers.len());
    for a in 0..numbers.len() {
        for b in 0..a {
            for c in (0..b).filter(|&c| numbers[a] + numbers[b] + numbers[c] == sum) {
                add(&mut draft, [a, b, c]);
            }
        }
    }
    draft.done()
}

/// Crew scheduling: each option is a duty, a sequence of flights.
pub(super) fn crews(size: &[usize]) -> Problem {
    let &[flights, duties, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = numbered(flights);
    plant(&mut draft, flights, 3, random);
    for _ in 0..duties {
        let mut flight = random.below(flights);
        let mut duty = vec![flight];
        for _ in 0..1 + random.below(5) {
            flight += 1 + random.below(flights / 5);
            if flight < flights {
                duty.push(flight);
            }
        }
        add(&mut draft, duty);
    }
    draft.done()
}

/// Train scheduling: each train picks one of several departures, and occupies each block of its
/// line for two units of time.
pub(super) fn trains(size: &[usize]) -> Problem {
    let &[trains, departures, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let blocks = 8;
    let mut draft = numbered(trains);
    for train in 0..trains {
        let begin = random.below(3 * trains);
        let is_back = random.below(2) == 1;
        let (first, last) = (random.below(blocks / 2), blocks / 2 + random.below(blocks / 2));
        for departure in 0..departures {
            let mut time = begin + departure;
            let mut entries = train.to_string();
            for step in first..=last {
                let block = if is_back { blocks - 1 - step } else { step };
                let stay = 1 + random.below(2);
                (0..stay).for_each(|more| entries += &format!(" ?b{block}.{}", time + more));
                time += stay;
            }
            draft.option(&entries);
        }
    }
    draft.done()
}

/// Steiner triple systems. For more than 9 points, the triples of point 0 are given.
pub(super) fn designs(size: &[usize]) -> Problem {
    let points = size[0];
    let first = if points > 9 { 1 } else { 0 };
    let mut draft = Draft::default();
    let is_given = |a: usize, b: usize| points > 9 && a % 2 == 1 && b == a + 1;
    for a in first..points {
        for b in a + 1..points {
            for c in b + 1..points {
                if !(is_given(a, b) || is_given(b, c)) {
                    draft.option(&format!("{a}.{b} {a}.{c} {b}.{c}"));
                }
            }
        }
    }
    draft.done()
}

/// Difference families: blocks whose differences are all residues except 0, each once.
pub(super) fn difference_families(size: &[usize]) -> Problem {
    let &[modulus, length] = size else { unreachable!("two numbers") };
    let mut draft = Draft::default();
    let mut block = vec![0];
    fn extend(draft: &mut Draft, block: &mut Vec<usize>, modulus: usize, length: usize) {
        let mut seen = BTreeSet::new();
        for (&low, &high) in block
            .iter()
            .enumerate()
            .flat_map(|(place, high)| block[..place].iter().map(move |l| (l, high)))
        {
            let difference = (high - low).min(modulus - high + low);
            if 2 * difference == modulus || !seen.insert(difference) {
                return;
            }
        }
        if block.len() < length {
            for next in block[block.len() - 1] + 1..modulus {
                block.push(next);
                extend(draft, block, modulus, length);
                block.pop();
            }
            return;
        }
        // Of the translations of a block, one is added: the one whose first gap is the largest.
        let gaps: Vec<usize> = (0..length)
            .map(|place| (block[(place + 1) % length] + modulus - block[place]) % modulus)
            .collect();
        if gaps.iter().max() == Some(&gaps[0]) {
            let names: Vec<_> = seen.iter().map(usize::to_string).collect();
            draft.option(&names.join(" "));
        }
    }
    extend(&mut draft, &mut block, modulus, length);
    draft.done()
}

/// A ring where each option covers two neighbors, some random triples, and one option that covers
/// all but 40 items.
pub(super) fn big_option(size: &[usize]) -> Problem {
    let &[items, seed] = size else { unreachable!("two numbers") };
    let random = &mut Random::new(seed as u64);
    let mut draft = numbered(items);
    (0..items).for_each(|item| add(&mut draft, [item, (item + 1) % items]));
    for _ in 0..items / 15 {
        let set = draw(3, items, random);
        add(&mut draft, set);
    }
    let all_but = draw(40, items, random);
    add(&mut draft, (0..items).filter(|item| !all_but.contains(item)));
    draft.done()
}

/// Random options of many items, with a planted cover.
pub(super) fn dense(size: &[usize]) -> Problem {
    random(size)
}

/// Many independent parts of three items each.
pub(super) fn parts(size: &[usize]) -> Problem {
    let mut draft = numbered(3 * size[0]);
    for part in 0..size[0] {
        let [a, b, c] = [0, 1, 2].map(|item| 3 * part + item);
        [vec![a, b], vec![b, c], vec![a, c], vec![a], vec![b], vec![c]]
            .into_iter()
            .for_each(|set| add(&mut draft, set));
    }
    draft.done()
}

/// The n-queens problem on several independent boards.
pub(super) fn large_parts(size: &[usize]) -> Problem {
    let &[boards, n, _] = size else { unreachable!("three numbers") };
    let mut draft = Draft::default();
    for board in 0..boards {
        for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let (up, down) = (row + column, row + n - column);
            draft.option(&format!("r{board}.{row} c{board}.{column} ?u{board}.{up} ?d{board}.{down}"));
        }
    }
    draft.done()
}

/// Pigeonhole problem with one hole fewer than pigeons, so there is no cover.
pub(super) fn pigeons(size: &[usize]) -> Problem {
    let mut draft = Draft::default();
    for (pigeon, hole) in (0..size[0]).flat_map(|p| (0..size[0] - 1).map(move |hole| (p, hole))) {
        draft.option(&format!("p{pigeon} ?h{hole}"));
    }
    draft.done()
}

/// Objects to distribute over boxes. Each object has some allowed boxes, and each box a minimum and
/// a maximum number of objects.
pub(super) fn allotments(size: &[usize]) -> Problem {
    let &[objects, boxes, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let mean = objects / boxes;
    let mut draft = numbered(objects);
    for number in 0..boxes {
        draft.bounded(&format!("b{number}"), mean as u32 - 1, mean as u32 + 2);
    }
    for object in 0..objects {
        for number in draw(3.min(boxes), boxes, random) {
            draft.option(&format!("{object} b{number}"));
        }
    }
    draft.done()
}

/// Social golfer problem: in each of several rounds the golfers are divided into groups of one
/// size, and no two golfers meet twice. The first round is given.
pub(super) fn golfers(size: &[usize]) -> Problem {
    let &[groups, length, rounds] = size else { unreachable!("three numbers") };
    let mut draft = Draft::default();
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..length {
        let longer = |group: &Vec<usize>| {
            let first = group.last().map_or(0, |last| last + 1);
            (first..groups * length)
                .map(|player| [group.as_slice(), &[player]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    for (round, group) in (0..rounds).flat_map(|round| all.iter().map(move |group| (round, group))) {
        let homes: BTreeSet<_> = group.iter().map(|player| player / length).collect();
        if homes.len() == if round == 0 { 1 } else { length } {
            let players = group.iter().map(|player| format!(" r{round}.{player}"));
            let pairs = group
                .iter()
                .enumerate()
                .flat_map(|(place, a)| group[..place].iter().map(move |b| format!(" ?{b}-{a}")));
            draft.option(&players.chain(pairs).collect::<String>());
        }
    }
    draft.done()
}

/// Timetables: each lesson of a class with a teacher takes place in a room of its kind. In every
/// hour of the week all rooms are in use.
pub(super) fn timetables(size: &[usize]) -> Problem {
    let &[classes, teachers, rooms, hours, seed] = size else { unreachable!("five numbers") };
    let random = &mut Random::new(seed as u64);
    let mut lessons = Vec::new();
    for _ in 0..hours {
        let [taught, free] = [classes, teachers].map(|count| {
            let mut order: Vec<usize> = (0..count).collect();
            random.shuffle(&mut order);
            order
        });
        lessons.extend((0..rooms).zip(taught.into_iter().zip(free)));
    }
    let mut draft = Draft::default();
    for (number, (own, (class, teacher))) in lessons.into_iter().enumerate() {
        for (hour, room) in (0..hours).flat_map(|hour| (0..rooms).map(move |room| (hour, room))) {
            if room % 3 == own % 3 {
                draft.option(&format!("l{number} ?c{class}.{hour} ?t{teacher}.{hour} ?r{room}.{hour}"));
            }
        }
    }
    draft.done()
}

/// 1-in-3 satisfiability: exactly one variable of each random triple is true.
pub(super) fn one_in_three(size: &[usize]) -> Problem {
    let &[things, triples, seed] = size else { unreachable!("three numbers") };
    let random = &mut Random::new(seed as u64);
    let hidden: Vec<bool> = (0..things).map(|_| random.below(3) == 0).collect();
    let mut draft = numbered(triples);
    let mut triples_of = vec![Vec::new(); things];
    for triple in 0..triples {
        let drawn = loop {
            let drawn = draw(3, things, random);
            if drawn.iter().filter(|&&thing| hidden[thing]).count() == 1 {
                break drawn;
            }
        };
        drawn.into_iter().for_each(|thing| triples_of[thing].push(triple));
    }
    triples_of.into_iter().filter(|own| !own.is_empty()).for_each(|own| add(&mut draft, own));
    draft.done()
}
