// The ten steps of the lesson: what each of them says, its example, and its question.

import { COLORS, EXAMPLES, KNUTH } from "../watch/examples.js";
import {
    algorithmX, byHand, countingPart, dancePart, enginePart, matrixPart, mrvPart, queens, queensPart, sudokuPart, textPart,
} from "./parts.js";

/**
 * @typedef {{
 *     title: string,
 *     text: string[],
 *     source: string,
 *     example: string,
 *     part: import("./parts.js").Part,
 *     question: string,
 *     answer: string,
 * }} Lesson `answer` is shown once the question is answered
 */

const HARD = EXAMPLES.find((example) => example.name === "hard")?.text(0) ?? "";

/** @type {readonly Lesson[]} */
export const LESSONS = [
    {
        title: "What is an exact cover?",
        text: [
            "There are some items, here the letters a to g, and some options, each of which is a set of items. "
            + "An exact cover is a choice of options in which every item occurs exactly once: none is left out, and "
            + "none is covered twice.",
            "Many puzzles are exact covers. A tiling covers each square of a board with one piece; a finished "
            + "Sudoku covers each cell with one digit. A program that finds exact covers solves all of them.",
        ],
        source: "Knuth, The Art of Computer Programming, volume 4B, section 7.2.2.1",
        example: KNUTH,
        part: byHand,
        question: "Which options cover every letter exactly once? Switch them on until no letter is left.",
        answer: "Options a d, b g and c e f: the only exact cover of this example. Change the options below, and try again.",
    },
    {
        title: "The matrix",
        text: [
            "The same problem is a matrix of zeros and ones: a column per item, a row per option, and a 1 where the "
            + "option contains the item. An exact cover is a set of rows with exactly one 1 in each column.",
            "Most entries are 0, so it pays to store only the ones. That is what the links of step 4 do.",
        ],
        source: "Knuth, Dancing links, 2000 (arXiv cs/0011047)",
        example: "0010110\n1001001\n0110010\n1001000\n0100001\n0001101\n",
        part: matrixPart,
        question: "Which single entry can you change so that the matrix has exactly two exact covers?",
        answer: "Two exact covers: the rows of one of them are marked. There may be other entries with the same effect.",
    },
    {
        title: "Algorithm X by hand",
        text: [
            "Algorithm X is the obvious search. Choose a column. One of its rows must be in the cover, so try each of "
            + "them: take the row, and remove all of its columns and every row that has a 1 in one of them. Then go on "
            + "with the smaller matrix. If a column has no row left, go back and try another row.",
            "The algorithm is right whatever column you choose, but the number of nodes of its tree depends on it.",
        ],
        source: "TAOCP 7.2.2.1, Algorithm X",
        example: KNUTH,
        part: algorithmX,
        question: "Find the cover by hand. Then start again with another column: can you do it with four nodes?",
        answer: "Solved. Four nodes are the root and one for each of the three options. You need no luck if you "
            + "always take the column with the fewest rows.",
    },
    {
        title: "Dancing links: cover and uncover",
        text: [
            "Each 1 of the matrix is a node in a circular list of its column, with links up and down. To remove node "
            + "x, the node above and the node below are linked to each other. The node x itself keeps its links, so "
            + "two assignments put it back: that is the dance.",
            "To cover an item means to take it out of the list of items, and every option that contains it out of all "
            + "other lists. To uncover does the same in reverse order, so that all lists are exactly as they were.",
        ],
        source: "Hitotumatu and Noshita, 1979; Knuth, Dancing links, 2000",
        example: KNUTH,
        part: dancePart,
        question: "Step to the first dead end, with the arrow keys or the slider. Which item has no option left?",
        answer: "A dead end: item e has no option left. The search uncovers what it covered, and takes the next option.",
    },
    {
        title: "Primary and secondary items",
        text: [
            "n queens on a board cover each row and each column exactly once. A diagonal has at most one queen, but may "
            + "have none. So rows and columns are primary items, which must be covered, and diagonals are secondary "
            + "items, which may be covered once or not at all.",
            "In Knuth's text, the secondary items stand after the bar `|` in the first line. The search never branches on them.",
        ],
        source: "TAOCP 7.2.2.1, on the n queens problem",
        example: queens(4, false),
        part: queensPart,
        question: "What happens if the diagonals are primary items, too? Change the list, or move the bar in the text.",
        answer: "No exact cover: n queens would have to cover all 2n - 1 diagonals of each direction.",
    },
    {
        title: "Sudoku as an exact cover",
        text: [
            "An option puts a digit into a cell. It covers four items: the cell, the digit in its row, the digit in its "
            + "column, and the digit in its box. A 9x9 Sudoku has 4 times 81 items and 729 options, a 4x4 one 64 and 64.",
            "A clue is an option that is chosen before the search begins. All options that meet it are removed.",
        ],
        source: "TAOCP 7.2.2.1, on sudoku",
        example: "1...\n....\n....\n..2.\n",
        part: sudokuPart,
        question: "These clues leave 18 solutions. Which clues make the solution unique? Type digits into the grid.",
        answer: "Exactly one solution. A 4x4 Sudoku needs at least four clues for that.",
    },
    {
        title: "Which item to choose",
        text: [
            "The rule of the minimum remaining values (MRV) takes an item with the fewest options left. An item with no "
            + "option is a dead end that is seen at once; an item with one option is forced, and costs no branch.",
            "Both searches below find the same solutions of the same problem, with the same links. They differ only in "
            + "the rule: `links` takes an item with the fewest options, `links-no-mrv` the first item that is left.",
        ],
        source: "Golomb and Baumert, 1965, for backtracking in general; TAOCP 7.2.2.1 for exact covers",
        example: "6",
        part: mrvPart,
        question: "From which board on does the first item need more than twice as many nodes as MRV?",
        answer: "Here it does, and the factor grows with the board. On a hard Sudoku it is far larger: try it in Compare.",
    },
    {
        title: "Colors",
        text: [
            "A secondary item may have a color in an option, such as `X:0`. Options that give it the same color go "
            + "together; different colors exclude each other. An option without a color for it excludes all others.",
            "Colors say that two choices agree where they meet, such as a letter of a crossword that a word across and a "
            + "word down share. To purify an item means to remove all options that give it another color.",
        ],
        source: "TAOCP 7.2.2.1, Algorithm C",
        example: COLORS,
        part: textPart("Primary items, |, secondary items; then one option per line", (count) => count === "2"),
        question: "Which color can you change so that there are two exact covers?",
        answer: "Two exact covers. For example, `C Y:0` agrees with `A B X:0 Y:0`.",
    },
    {
        title: "Counting without listing",
        text: [
            "A search meets each solution, so it cannot count what it cannot visit. But after some squares of a domino "
            + "tiling it only matters which squares at the border are covered. The method `frontier` keeps these states, and "
            + "adds up the ways to reach each of them.",
            "`matching` needs no states: the number of perfect matchings of a planar graph is a Pfaffian, which "
            + "elimination computes in polynomial time.",
        ],
        source: "Kasteleyn, 1961; Temperley and Fisher, 1961",
        example: "6",
        part: countingPart,
        question: "On which board do the dominoes have more than a million tilings? Which engine still answers?",
        answer: "More than a million tilings, in milliseconds. The search would have to visit each of them.",
    },
    {
        title: "Which engine when",
        text: [
            "`links` is Knuth's algorithm on an array, and hard to beat on small problems. `cells` keeps sets in contiguous "
            + "arrays, and sees dead ends early. `masks` has a bit per option, and is best for dense problems of moderate "
            + "size. `frontier` counts where few items are open at a time. `lanes` is for 9x9 Sudoku only.",
            "No engine wins everywhere, so the program races them: `auto` reduces the problem, and gives the engines "
            + "slices of time until one of them has the answer.",
        ],
        source: "the guide of Farandole, Choosing an engine",
        example: "queens",
        part: enginePart(HARD),
        question: "Can you find three problems with three different winners?",
        answer: "Three winners: choose the engine by the problem, or let `auto` do it.",
    },
];
