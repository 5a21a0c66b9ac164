const reloadedKey = 'sightglass:reloaded-for-isolation';

/**
 * Registers the service worker of a built app (offline, isolation headers) after the first work, with which what it fetches
 * and keeps would compete. Does nothing in development, or where there is none.
 */
export async function registerServiceWorker(afterFirstWork: Promise<void>): Promise<void> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!import.meta.env.PROD || !container) return;
  const hands = watchForInput();
  try {
    await afterFirstWork;
    await container.register(new URL('sw.js', document.baseURI), { updateViaCache: 'none' });
    const { active } = await container.ready;
    active?.postMessage('cache-large');
    if (!container.controller)
      await new Promise((resolve) => container.addEventListener('controllerchange', resolve, { once: true }));
    if (!crossOriginIsolated && !hands.touched()) reloadOnce();
  } catch {
    // private windows and strict settings: the app works on, online
  } finally {
    hands.stop();
  }
}

/** Isolation is decided when a page loads. One reload a session: a host that undoes the headers must not loop. */
function reloadOnce(): void {
  if (sessionStorage.getItem(reloadedKey)) return;
  sessionStorage.setItem(reloadedKey, 'yes');
  location.reload();
}

/** A page in use is not reloaded under its user's hands. */
function watchForInput(): { touched(): boolean; stop(): void } {
  let touched = false;
  const touch = () => (touched = true);
  const events = ['pointerdown', 'keydown', 'drop', 'paste'] as const;
  for (const event of events) addEventListener(event, touch, { capture: true });
  return {
    touched: () => touched,
    stop() {
      for (const event of events) removeEventListener(event, touch, { capture: true });
    },
  };
}

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
