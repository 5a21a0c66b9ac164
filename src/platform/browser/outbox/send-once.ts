import { OutboxSender } from '../../../remote/outbox/outbox-sender.ts';
import { openCaptures } from '../indexed-db/capture-store/open-captures.ts';
import { connectTargets } from './connect-target.ts';
import { outboxLock } from './keep-sending.ts';

/**
 * Sends what is due, unless a page is at it; for a service worker, which has no way to the browser's own data service and
 * only the keys that were kept. Resolves to whether something is left to be sent later.
 */
export async function sendOutboxOnce(databaseName?: string): Promise<boolean> {
  // Where no lock keeps pages and this worker apart, the pages send.
  const locks = navigator.locks as LockManager | undefined;
  const isLeft = await locks?.request(outboxLock, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    const { captures, outbox: store, keys, close } = openCaptures(databaseName);
    try {
      const sender = new OutboxSender({
        store,
        captures,
        connect: connectTargets(keys, null),
        nowMs: () => Date.now(),
        isOnline: () => navigator.onLine,
        onProgress: () => {},
      });
      await sender.recover();
      return (await sender.sendDue(new AbortController().signal)) !== null;
    } finally {
      await close();
    }
  });
  return isLeft ?? false;
}
