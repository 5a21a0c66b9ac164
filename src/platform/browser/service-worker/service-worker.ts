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
