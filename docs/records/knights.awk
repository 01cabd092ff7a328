# Largest matchings of the knight graph of an n x n board: each square is an item, and each move an option. On a board of
# odd size one square of the larger color stays free, which the item `free` chooses.
# usage: awk -v n=N -f knights.awk

BEGIN {
    for (r = 0; r < n; r++) for (c = 0; c < n; c++) printf "%d,%d ", r, c
    print n % 2 ? "free" : ""
    for (r = 0; r < n; r++) for (c = 0; c < n; c++) {
        if (n % 2 && (r + c) % 2 == 0) printf "free %d,%d\n", r, c
        for (d = -2; d <= 2; d++) if (d) {
            e = 3 - (d < 0 ? -d : d)
            if (r + e < n && c + d >= 0 && c + d < n) printf "%d,%d %d,%d\n", r, c, r + e, c + d
        }
    }
}
