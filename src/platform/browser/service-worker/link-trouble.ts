/**
 * Why links to what this browser keeps open nothing here, in words, or null where the service worker serves them. It asks
 * the browser anew each time: on a first visit the service worker is only being installed.
 */
export async function linkTrouble(): Promise<string | null> {
  if (location.protocol === 'file:') return 'The app was opened as a file: links work when it is served over http.';
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container) {
    return isSecureContext
      ? 'This browser allows no service worker here, as in some private windows: links open in a usual window.'
      : 'This page came over plain http, where browsers allow no service worker: links work over https.';
  }
  const registration = await container.getRegistration(document.baseURI).catch(() => undefined);
  if (registration?.active) return null;
  return registration
    ? 'The app is still being installed in this browser: try again in a moment.'
    : 'The app’s service worker is not installed, so nothing answers links: it may be blocked, or this is a development server.';
}
