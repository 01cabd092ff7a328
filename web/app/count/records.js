// The sequences of docs/RECORDS.md: the same problems as its two awk programs write, and their published small terms.

/** @param {number} n */
const isSquare = (n) => Number.isInteger(Math.sqrt(n));

/** @param {number} n */
function isPrime(n) {
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false;
    return n > 1;
}

/**
 * The numbers 1 to 2n in pairs: each number is an item, each allowed pair an option.
 * @param {number} n
 * @param {(sum: number, difference: number) => boolean} allowed
 */
function pairs(n, allowed) {
    const lines = [Array.from({ length: 2 * n }, (_, k) => k + 1).join(" ")];
    for (let a = 1; a <= 2 * n; a += 1) {
        for (let b = a + 1; b <= 2 * n; b += 1) if (allowed(a + b, b - a)) lines.push(`${a} ${b}`);
    }
    return `${lines.join("\n")}\n`;
}

/** Largest matchings of the knight graph; on a board of odd size one square of the larger color stays free. @param {number} n */
function knights(n) {
    /** @type {string[]} */
    const squares = [];
    /** @type {string[]} */
    const options = [];
    for (let r = 0; r < n; r += 1) {
        for (let c = 0; c < n; c += 1) {
            squares.push(`${r},${c}`);
            if (n % 2 === 1 && (r + c) % 2 === 0) options.push(`free ${r},${c}`);
            for (const d of [-2, -1, 1, 2]) {
                const e = 3 - Math.abs(d);
                if (r + e < n && c + d >= 0 && c + d < n) options.push(`${r},${c} ${r + e},${c + d}`);
            }
        }
    }
    if (n % 2 === 1) squares.push("free");
    return `${[squares.join(" "), ...options].join("\n")}\n`;
}

/**
 * @typedef {object} Sequence
 * @property {string} id number in the OEIS
 * @property {string} title
 * @property {(n: number) => string} text
 * @property {number} first first small term
 * @property {string[]} terms published terms from the first
 * @property {number} most largest n that the page offers
 * @property {[number, string][]} fresh terms that Farandole added
 */

/** @type {Sequence[]} */
export const SEQUENCES = [
    {
        id: "A252897",
        title: "The numbers 1 to 2n in pairs whose sums are squares",
        text: (n) => pairs(n, isSquare),
        first: 12,
        terms: ["1", "6", "18", "12", "36", "156", "295", "429", "755"],
        most: 30,
        fresh: [[43, "7725600261521"]],
    },
    {
        id: "A342136",
        title: "The same, where the sum and the difference are primes",
        text: (n) => pairs(n, (sum, difference) => isPrime(sum) && isPrime(difference)),
        first: 4,
        terms: ["1", "2", "6", "10", "22", "101", "66", "504", "2088"],
        most: 24,
        fresh: [[36, "87595409392313842"]],
    },
    {
        id: "A342139",
        title: "The same, where the sum or the difference is a prime",
        text: (n) => pairs(n, (sum, difference) => isPrime(sum) || isPrime(difference)),
        first: 1,
        terms: ["1", "3", "8", "28", "167", "810", "4664", "38344", "207255", "2059900"],
        most: 14,
        fresh: [[20, "106426693203805700"], [21, "1505477477933155133"]],
    },
    {
        id: "A342155",
        title: "The same, where the sum or the difference is a prime, but not both",
        text: (n) => pairs(n, (sum, difference) => isPrime(sum) !== isPrime(difference)),
        first: 1,
        terms: ["1", "2", "3", "7", "26", "55", "282", "1520", "2685", "27005"],
        most: 15,
        fresh: [[20, "12538907195436"], [21, "105332507584905"]],
    },
    {
        id: "A289202",
        title: "Largest matchings of the knight graph of an n x n board",
        text: knights,
        first: 3,
        terms: ["2", "16", "644", "10304", "65113608", "2849759680"],
        most: 8,
        fresh: [[11, "39590349016156548270368"]],
    },
];
