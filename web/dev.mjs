// Serves the page for development: static files, and questions through a built program.
//
// usage: FARANDOLE=path/to/farandole node dev.mjs [--port=8000] [--carrier=program|wasm]
//
// This server trusts its user: `farandole page` is the one for everybody else.

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { toArguments } from "./package/arguments.js";

const ROOT = fileURLToPath(new URL(".", import.meta.url));

/** @type {Record<string, string>} */
const TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
};

/**
 * Answers a question, one event a line.
 * @param {string} program
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(program, request, response) {
    const chunks = [];
    for await (const chunk of request) {
        chunks.push(chunk);
    }
    const asked = JSON.parse(Buffer.concat(chunks).toString());
    const { args, isJson } = toArguments(asked);
    const folder = await mkdtemp(join(tmpdir(), "farandole-page-"));
    const begun = performance.now();
    response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" });
    const send = (/** @type {object} */ event) => void response.write(`${JSON.stringify(event)}\n`);
    const child = spawn(program, args, { cwd: folder, env: { ...process.env, FARANDOLE_PROGRESS: "json" } });
    response.on("close", () => child.kill("SIGKILL"));
    child.stdin.on("error", () => {});
    child.stdin.end(asked.input ?? "");
    const notes = createInterface({ input: child.stderr });
    notes.on("line", (line) => send(line.startsWith('{"progress":') ? JSON.parse(line) : { note: line }));
    let text = "";
    if (isJson) {
        createInterface({ input: child.stdout }).on("line", (line) => {
            send(line.startsWith("{") ? { line: JSON.parse(line) } : { text: `${line}\n` });
        });
    } else {
        child.stdout.setEncoding("utf8").on("data", (piece) => (text += piece));
    }
    child.on("error", (error) => {
        send({ note: String(error) });
        send({ end: { code: 2, seconds: 0 } });
        response.end();
    });
    child.on("close", (code, signal) => {
        if (text !== "") {
            send({ text });
        }
        send({ end: { code: signal ? 137 : (code ?? 2), seconds: (performance.now() - begun) / 1000 } });
        response.end();
        void rm(folder, { recursive: true, force: true });
    });
}

/**
 * Starts a server on loopback.
 * @param {{ port?: number, carrier?: string, program?: string, root?: string }} [options] `root` is the folder of the page
 * @returns {Promise<{ address: string, close(): void }>}
 */
export async function serve({ port = 0, carrier = "program", program = process.env.FARANDOLE ?? "farandole", root = ROOT } = {}) {
    const token = randomBytes(16).toString("hex");
    const server = createServer(async (request, response) => {
        try {
            const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
            if (request.method === "POST" && path === "/ask") {
                if (request.headers["x-farandole-token"] !== token) {
                    response.writeHead(403).end("wrong token");
                    return;
                }
                await answer(program, request, response);
                return;
            }
            const file = join(root, path.endsWith("/") ? `${path}index.html` : path);
            /** @type {Buffer | string} */
            let content = await readFile(file);
            if (file === join(root, "index.html") && carrier === "program") {
                content = content.toString().replace("<html ", `<html data-token="${token}" `);
            }
            const type = TYPES[extname(file)] ?? "application/octet-stream";
            response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-cache" }).end(content);
        } catch (error) {
            if (!response.headersSent) {
                response.writeHead(404).end(String(error));
            }
        }
    });
    await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(null)));
    const bound = server.address();
    const at = typeof bound === "object" && bound ? bound.port : port;
    return {
        address: `http://127.0.0.1:${at}/`,
        close() {
            server.closeAllConnections();
            server.close();
        },
    };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const option = (/** @type {string} */ name) =>
        process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
    const { address } = await serve({ port: Number(option("port") ?? 8000), carrier: option("carrier") });
    console.log(address);
}
