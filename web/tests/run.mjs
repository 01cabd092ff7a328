// Runs the tests of the page in Chromium.
//
// usage: FARANDOLE=path/to/farandole node tests/run.mjs [--carrier=page|program|wasm] [--shots=FOLDER] [--part=K/N] [NAME]...
//
// The carrier is `farandole page`, the server of development, or WebAssembly. `--part` runs every N-th test, from the K-th
// (from 0). NAME is a file (`solve`) or a part of a test's name. CHROMIUM names the browser.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { access, mkdir, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../dev.mjs";

/** What `web/build` has made. */
const BUILT = fileURLToPath(new URL("../../target/web/", import.meta.url));

/** Milliseconds that a step of a test may take. Loaded machines need seconds for the first picture. */
const PATIENCE = 20_000;

const FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/**
 * What a test uses. `open` opens a fragment in a fresh window, `axe` asserts that axe-core finds no
 * violation, `shot` takes a picture of the page if a folder is given, and `stop` ends the server.
 * @typedef {{
 *     page: import("playwright-core").Page,
 *     address: string,
 *     carrier: string,
 *     open(fragment?: string): Promise<void>,
 *     axe(): Promise<void>,
 *     shot(name: string): Promise<void>,
 *     stop(): void,
 * }} Test
 */

/**
 * Size and theme of a test's window; `name` is a true sentence. With `built`, the test uses the folder or the HTML file that
 * `web/build` has made, and runs only with the carrier `wasm`.
 * @typedef {{ name: string, width?: number, height?: number, dark?: boolean, touch?: boolean, built?: "folder" | "file",
 *     run(test: Test): Promise<void> }} Case
 */

const option = (/** @type {string} */ name) =>
    process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const carrier = option("carrier") ?? "program";
const [part, parts] = (option("part") ?? "0/1").split("/").map(Number);
const shots = option("shots");
const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const folder = new URL(".", import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith(".mjs") && file !== "run.mjs").sort();
const server = carrier === "page" ? await startPage() : await serve({ carrier });
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
});
if (shots) {
    await mkdir(shots, { recursive: true });
}

let failed = 0;
let passed = 0;
let number = 0;
for (const file of files) {
    /** @type {{ tests: Case[] }} */
    const { tests } = await import(new URL(file, folder).href);
    for (const test of tests) {
        const isAsked = names.some((name) => file === `${name}.mjs` || test.name.includes(name));
        if (names.length > 0 && !isAsked) {
            continue;
        }
        number += 1;
        if (number % parts !== part % parts) {
            continue;
        }
        if (test.built && !(await isBuilt(test.built))) {
            console.log(`left out ${file}: ${test.name}`);
            continue;
        }
        const begun = performance.now();
        const error = await runCase(test).then(
            () => null,
            (problem) => problem,
        );
        const took = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
        console.log(`${error ? "FAILED" : "ok    "} ${file}: ${test.name} (${took})`);
        if (error) {
            failed += 1;
            console.log(String(error.stack ?? error).replace(/^/gm, "    "));
        } else {
            passed += 1;
        }
    }
}
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Starts `farandole page` and returns its address. */
async function startPage() {
    const child = spawn(process.env.FARANDOLE ?? "farandole", ["page", "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
    const address = await new Promise((resolve, reject) => {
        child.stdout.once("data", (data) => resolve(String(data).trim()));
        child.once("error", reject);
        child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    return { address, close: () => child.kill() };
}

/** Whether a test of a built page can run. @param {"folder" | "file"} form */
async function isBuilt(form) {
    const file = join(BUILT, form === "file" ? "farandole.html" : "index.html");
    return carrier === "wasm" && (await access(file).then(() => true, () => false));
}

/** The page of a test. @param {Case} test @returns {Promise<{ address: string, close(): void }>} */
async function serverOf({ built }) {
    if (built === "file") {
        return { address: pathToFileURL(join(BUILT, "farandole.html")).href, close() {} };
    }
    return built ? serve({ carrier, root: BUILT }) : server;
}

/** @param {Case} test */
async function runCase(test) {
    const used = await serverOf(test);
    const context = await browser.newContext({
        viewport: { width: test.width ?? 1200, height: test.height ?? 900 },
        colorScheme: test.dark ? "dark" : "light",
        hasTouch: test.touch ?? false,
        acceptDownloads: true,
    });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    /** @type {string[]} */
    const faults = [];
    page.on("pageerror", (error) => faults.push(`error: ${error.stack ?? error}`));
    page.on("console", (message) => {
        if (message.type() === "error" || message.text().includes("Content Security Policy")) {
            faults.push(`console: ${message.text()}`);
        }
    });
    page.on("request", (request) => {
        if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(used.address)) {
            faults.push(`request to another host: ${request.url()}`);
        }
    });
    try {
        await test.run({
            page,
            address: used.address,
            carrier,
            async open(fragment = "") {
                await page.goto("about:blank");
                await page.goto(used.address + fragment);
            },
            async axe() {
                await page.evaluate(axeSource);
                const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
                const lines = /** @type {any} */ (found).violations.map(
                    (/** @type {any} */ { id, help, nodes }) =>
                        `${id}: ${help}\n  ${nodes
                            .slice(0, 4)
                            .map((/** @type {any} */ node) => `${node.html.slice(0, 160)}\n  ${node.failureSummary}`)
                            .join("\n  ")}`,
                );
                assert.equal(lines.join("\n"), "");
            },
            stop: () => used.close(),
            async shot(name) {
                if (shots) {
                    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
                }
            },
        });
        assert.deepEqual(faults, []);
    } catch (error) {
        if (shots) {
            await page.screenshot({ path: join(shots, "failed.png"), fullPage: true }).catch(() => {});
        }
        if (faults.length > 0 && error instanceof Error && !error.message.includes(faults[0])) {
            error.message += `\n${faults.join("\n")}`;
        }
        throw error;
    } finally {
        await context.close();
        if (used !== server) {
            used.close();
        }
    }
}
