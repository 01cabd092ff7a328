# Divides the numbers 1 to 2n into pairs: each number is an item, and each allowed pair an option.
# usage: awk -v n=N -v pairs=RULE -f pairs.awk, where RULE is one of the names below.

function is_square(m,   r) { r = int(sqrt(m) + 0.5); return r * r == m }
function is_prime(m,   d) {
    for (d = 2; d * d <= m; d++) if (m % d == 0) return 0
    return m > 1
}
function is_allowed(a, b,   sum, difference) {
    if (pairs == "square-sum") return is_square(a + b)
    sum = is_prime(a + b); difference = is_prime(b - a)
    if (pairs == "prime-sum-and-difference") return sum && difference
    if (pairs == "prime-sum-or-difference") return sum || difference
    if (pairs == "prime-sum-or-else-difference") return sum != difference
    print "expected a rule, found " pairs > "/dev/stderr"; exit 2
}
BEGIN {
    for (a = 1; a <= 2 * n; a++) printf "%d ", a
    print ""
    for (a = 1; a <= 2 * n; a++) for (b = a + 1; b <= 2 * n; b++) if (is_allowed(a, b)) print a, b
}
