import { isLogin, type BuildFiles } from './cache-policy.ts';
import { browserClock } from '../../src/platform/browser/data-service/browser-clock.ts';
import { webCryptoSecrets } from '../../src/data-service/face/access.ts';
import { idbDataStore } from '../../src/platform/browser/indexed-db/data-store/idb-data-store.ts';
import { answerLocalFile, localFilePath } from '../../src/platform/browser/data-service/local-files.ts';
import { bearsIsolation, withIsolation } from './isolation.ts';
import { KeptFiles } from './kept-files.ts';
import { sendOutboxInBackground } from './send-outbox.ts';

declare const self: ServiceWorkerGlobalScope;
/** The list of built files, inserted by the build. */
declare const __BUILD_FILES__: BuildFiles;

const { scope } = self.registration;
const kept = new KeptFiles(__BUILD_FILES__, scope);
// The same database as the data service's worker, which may not be running; it is opened when the first file is
// requested.
const local = { store: idbDataStore(browserClock), clock: browserClock, secrets: webCryptoSecrets(crypto) };

// The shell is installed completely or not at all. An update waits until no page of the old version is open: its
// lazily loaded parts are only in the old cache.
self.addEventListener('install', (event) => {
  event.waitUntil(kept.install());
});

self.addEventListener('activate', (event) => {
  const tidied = kept.removeOthers();
  event.waitUntil(tidied);
  // The activation does not wait for the claim: in Firefox the claim waited for a worker that a claimed page was starting, its
  // script for the activation, and every request of the page after it.
  void tidied.then(() => self.clients.claim()).catch(() => undefined);
});

// The page sends this when it is idle: on a first visit it loaded these files before there was a service worker to
// cache them.
self.addEventListener('message', (event) => {
  if (event.data === 'cache-large') event.waitUntil(kept.fetchInBackground('background'));
  if (event.data === 'cache-docs') event.waitUntil(kept.fetchInBackground('docs')); // sent by pages of the documentation
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const localFile = localFilePath(request.url, scope);
  if (localFile !== null) return event.respondWith(answerLocalFile(local, request, localFile).then(withIsolation));
  if (request.method !== 'GET' || !request.url.startsWith(scope) || isLogin(request.url, scope)) return;
  const answered = kept.answer(request);
  event.respondWith(bearsIsolation(request) ? answered.then(withIsolation) : answered);
});

sendOutboxInBackground(self);
