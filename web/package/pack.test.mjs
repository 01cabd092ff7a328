// Packs the package, installs it into an empty folder, and runs the example of README.md there:
// `node --test web/package/pack.test.mjs`, after `web/build`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL(".", import.meta.url));
/** Exactly what a user gets. */
const FILES = [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "arguments.js",
    "farandole.wasm",
    "index.d.ts",
    "index.js",
    "package.json",
    "wasi.js",
    "worker.js",
];
/** Most lines of the example, so that it is read at a glance. */
const EXAMPLE_LINES = 10;

const folder = await mkdtemp(join(tmpdir(), "farandole-pack-"));
after(() => rm(folder, { recursive: true, force: true }));
const readme = await readFile(join(PACKAGE, "README.md"), "utf8");
const example = /```js\n([^]*?)```/.exec(readme)?.[1] ?? "";

/** @param {string} program @param {string[]} args @param {string} cwd */
const run = (program, args, cwd) => execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

test("the packed package, installed into an empty folder, runs the example of its README", async () => {
    const [packed] = JSON.parse(run("npm", ["pack", "--json", `--pack-destination=${folder}`], PACKAGE));
    assert.deepEqual(packed.files.map((/** @type {{ path: string }} */ file) => file.path).sort(), FILES);
    const empty = join(folder, "empty");
    await mkdir(empty);
    await writeFile(join(empty, "package.json"), '{ "private": true, "type": "module" }\n');
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, packed.filename)], empty);
    assert.deepEqual((await readdir(join(empty, "node_modules"))).filter((name) => !name.startsWith(".")), ["farandole"]);
    assert.ok(example.trim().split("\n").length <= EXAMPLE_LINES, "the example has at most ten lines");
    await writeFile(join(empty, "example.js"), example);
    const said = run(process.execPath, ["example.js"], empty);
    const solved = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    assert.equal(said.split("tiling\n")[0], `${solved}\n92n\n36 tilings\n`);
});

test("the types of the packed package accept the example and refuse mistakes", { skip: !(await compiler()) && "without TypeScript" }, async () => {
    const empty = join(folder, "types");
    await mkdir(join(empty, "node_modules/farandole"), { recursive: true });
    for (const name of ["package.json", "index.d.ts"]) {
        await writeFile(join(empty, "node_modules/farandole", name), await readFile(join(PACKAGE, name)));
    }
    const options = ["--noEmit", "--strict", "--target", "esnext", "--module", "nodenext", "--lib", "esnext,dom", "--types", ""];
    const check = async (/** @type {string} */ text) => {
        await writeFile(join(empty, "example.mts"), text);
        try {
            run(process.execPath, [/** @type {string} */ (await compiler()), ...options, "example.mts"], empty);
            return "";
        } catch (error) {
            return String(/** @type {{ stdout: string }} */ (error).stdout);
        }
    };
    assert.equal(await check(example), "");
    const wrong = 'import { load } from "farandole";\nconst farandole = await load();\n';
    assert.match(await check(`${wrong}await farandole.count(8);\n`), /TS2345/);
    assert.match(await check(`${wrong}const n: number = (await farandole.count("")).count;\n`), /TS2322/);
    assert.match(await check(`${wrong}await farandole.ask({ input: "" });\n`), /TS2741/);
});

/** The address of tsc, if the tools of the page are installed. */
async function compiler() {
    const path = join(PACKAGE, "../node_modules/typescript/bin/tsc");
    return readFile(path).then(
        () => path,
        () => null,
    );
}
