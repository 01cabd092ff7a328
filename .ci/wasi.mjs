// Runs a program that was compiled for wasm32-wasip1: `node --no-warnings .ci/wasi.mjs PROGRAM.wasm [ARGUMENT...]`.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...others] = process.argv.slice(2);
const wasi = new WASI({
    version: "preview1",
    args: [program, ...others],
    env: process.env,
    preopens: { "/": "/" },
});
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
