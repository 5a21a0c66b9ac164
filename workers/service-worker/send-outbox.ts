import { outboxSyncTag } from '../../src/platform/browser/outbox/background-sync.ts';
import { sendOutboxOnce } from '../../src/platform/browser/outbox/send-once.ts';

// Background Synchronization is Chromium's; not in lib.webworker.
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
}

/**
 * Sends the outbox when no page is open. If the promise rejects, the browser fires the event again later, at
 * growing intervals.
 */
export function sendOutboxInBackground(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('sync' as keyof ServiceWorkerGlobalScopeEventMap, (event) => {
    const { tag } = event as SyncEvent;
    if (tag === outboxSyncTag) (event as SyncEvent).waitUntil(sendOrAskAgain());
  });
}

async function sendOrAskAgain(): Promise<void> {
  if (await sendOutboxOnce()) throw new Error('Something is left to be sent later.');
}
