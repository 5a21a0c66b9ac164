import type { DBSchema } from 'idb';
import { waitFor } from '../../../base/schedule/wait-for.ts';
import { randomId } from '../bytes/random-id.ts';
import { notOpened } from '../indexed-db/idb-error.ts';
import { IdbOpening } from '../indexed-db/idb-opening.ts';

interface LeaseSchema extends DBSchema {
  leases: { key: string; value: { readonly holder: string; readonly endMs: number } };
}

const database = new IdbOpening<LeaseSchema>(
  'sightglass-leases',
  [(created) => created.createObjectStore('leases')],
  notOpened,
);

/** Longer than a minute, as often as timers of a hidden page come at least. */
const leaseTimes = { lastsMs: 90_000, renewedEveryMs: 15_000 };

/**
 * Runs `work` in one page of all that share the origin and the name: now, or once no other does; by the Web Locks API, and
 * where there is none (pages over plain http) by a lease in IndexedDB. A page that went without giving its lease back is
 * waited for until that ends. `work` has to stop with its signal: with the one given, or when a page that was frozen finds
 * that another one took over. Rejects where the signal comes first, or storage fails.
 */
export async function runAlone<T>(
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  times = leaseTimes,
): Promise<T> {
  const locks = navigator.locks as LockManager | undefined;
  // The type of the lock manager awaits the result twice; this is the type of the work.
  if (locks) return locks.request(name, { signal }, () => work(signal)) as unknown as Promise<T>;
  const holder = randomId();
  const news = new BroadcastChannel(`sightglass-lease-${name}`);
  try {
    for (;;) {
      signal.throwIfAborted();
      const givenBack = new Promise((resolve) => (news.onmessage = resolve)); // before it looks, to miss none
      if (await take(name, holder, times.lastsMs)) break;
      await Promise.race([givenBack, waitFor(times.renewedEveryMs, signal)]);
    }
    return await holding(name, holder, signal, work, times);
  } finally {
    await giveBack(name, holder).catch(() => undefined); // a lock that is not given back ends by itself
    news.postMessage('given back');
    news.close();
  }
}

async function holding<T>(
  name: string,
  holder: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
  times: typeof leaseTimes,
): Promise<T> {
  const lost = new AbortController();
  const either = AbortSignal.any([signal, lost.signal]);
  const renewing = setInterval(() => {
    const fail = (error: unknown): void => lost.abort(error);
    take(name, holder, times.lastsMs).then((isMine) => isMine || fail(new Error('Another page took over.')), fail);
  }, times.renewedEveryMs);
  const release = (): void => void giveBack(name, holder).catch(() => undefined);
  addEventListener('pagehide', release);
  try {
    return await work(either);
  } finally {
    clearInterval(renewing);
    removeEventListener('pagehide', release);
  }
}

/** Takes the lease, or renews it; false while it is another's. */
async function take(name: string, holder: string, lastsMs: number): Promise<boolean> {
  const transaction = (await database.get()).transaction('leases', 'readwrite');
  const lease = await transaction.store.get(name);
  const isFree = !lease || lease.holder === holder || lease.endMs <= Date.now();
  if (isFree) await transaction.store.put({ holder, endMs: Date.now() + lastsMs }, name);
  await transaction.done;
  return isFree;
}

async function giveBack(name: string, holder: string): Promise<void> {
  const transaction = (await database.get()).transaction('leases', 'readwrite');
  if ((await transaction.store.get(name))?.holder === holder) await transaction.store.delete(name);
  await transaction.done;
}
