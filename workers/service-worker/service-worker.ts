import { cacheNames, isMine, isPage, largeKeys, type BuildFiles } from './cache-policy.ts';
import { browserClock } from '../../src/platform/browser/browser-clock.ts';
import { webCryptoSecrets } from '../../src/data-service/access/web-crypto-secrets.ts';
import { idbDataStore } from '../../src/platform/browser/idb-data-store/idb-data-store.ts';
import { answerLocalFile, localFilePath } from '../../src/platform/browser/local-files.ts';
import { withIsolation } from './isolation.ts';
import { sendOutboxInBackground } from './send-outbox.ts';

declare const self: ServiceWorkerGlobalScope;
/** What was built, filled in by the build. */
declare const __BUILD_FILES__: BuildFiles;

const files = __BUILD_FILES__;
const { shellCache, largeCache } = cacheNames(files.version);
const scope = self.registration.scope;
const keyOf = largeKeys(files, scope);
// The same database as the data service's worker, which may not be running: opened when the first file is asked for.
const local = { store: idbDataStore(browserClock), clock: browserClock, secrets: webCryptoSecrets(crypto) };

// The shell is complete or not installed at all. An update waits until no page of the old version is left: its lazily
// loaded parts are only in the old cache.
self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(shellCache)
      .then((cache) => cache.addAll(files.shell.map((path) => new Request(path, { cache: 'reload' })))),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOldCaches().then(() => self.clients.claim()));
});

// Sent by the page once it is idle: the first visit fetched these before there was a service worker to keep them.
self.addEventListener('message', (event) => {
  if (event.data === 'cache-large') event.waitUntil(cacheLarge());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const localFile = localFilePath(request.url, scope);
  if (localFile !== null) return event.respondWith(answerLocalFile(local, request, localFile).then(withIsolation));
  if (request.method !== 'GET' || !request.url.startsWith(scope)) return;
  event.respondWith(answer(request).then(withIsolation));
});

sendOutboxInBackground(self);

async function answer(request: Request): Promise<Response> {
  const shell = await caches.open(shellCache);
  // Hosts that vary by Origin would hide what was kept without one from module scripts, which send one.
  const cached = await shell.match(isPage(request, scope) ? scope : request, { ignoreVary: true });
  if (cached) return cached;
  const key = keyOf.get(request.url.replace(/[?#].*$/, ''));
  if (!key) return fetch(request);
  const large = await caches.open(largeCache);
  const kept = await large.match(key);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await large.put(key, response.clone()).catch(() => undefined); // no room: it stays on the network
  return response;
}

async function cacheLarge(): Promise<void> {
  const large = await caches.open(largeCache);
  for (const path of files.background) {
    const url = new URL(path, scope).href;
    const key = keyOf.get(url)!;
    if (await large.match(key)) continue;
    try {
      const response = await fetch(url);
      if (response.ok) await large.put(key, response);
    } catch {
      return; // offline, or no room: another time
    }
  }
}

async function removeOldCaches(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => isMine(name) && name !== shellCache && name !== largeCache);
  await Promise.all(old.map((name) => caches.delete(name)));
  const large = await caches.open(largeCache);
  const current = new Set(keyOf.values());
  const outdated = (await large.keys()).filter(({ url }) => !current.has(url));
  await Promise.all(outdated.map((request) => large.delete(request)));
}
