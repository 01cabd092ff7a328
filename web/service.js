// Keeps the files of a built page, so that it works without a network: first its own copies, then the host.
//
// `web/build` writes the two constants into its copy. A new version is installed next to the old one and takes over when
// no page of the old version is open.

/** Digest of all files. */
const VERSION = "development";
/** All files of the page. @type {string[]} */
const FILES = [];

const NAME = `farandole-${VERSION}`;
/** The worker itself. @type {any} */
const scope = globalThis;

scope.addEventListener("install", (/** @type {any} */ event) => {
    event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
    event.waitUntil(
        (async () => {
            const old = (await caches.keys()).filter((name) => name.startsWith("farandole-") && name !== NAME);
            await Promise.all(old.map((name) => caches.delete(name)));
            await scope.clients.claim();
        })(),
    );
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
    if (event.request.method === "GET") {
        event.respondWith(
            (async () => {
                const cache = await caches.open(NAME);
                return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
            })(),
        );
    }
});
