export const outboxSyncTag = 'sightglass-outbox';

// Background Synchronization (https://wicg.github.io/background-sync/spec/), Chromium's; not in lib.dom.
interface SyncRegistration {
  readonly sync?: { register(tag: string): Promise<void> };
}

/** Lets the service worker go on sending when no page is open, where the browser does such things. */
export function askForBackgroundSync(): void {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container?.controller) return;
  container.ready
    .then((registration) => (registration as SyncRegistration).sync?.register(outboxSyncTag))
    .catch(() => undefined); // not allowed here: an open page sends
}
