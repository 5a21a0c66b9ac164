import { CaptureStoreError } from '../../../evidence/capture/capture-store.ts';
import type { OutboxSender } from '../../../remote/outbox/outbox-sender.ts';
import type { OutboxStore } from '../../../remote/outbox/outbox-store.ts';
import { runAlone } from '../locks/run-alone.ts';
import { askForBackgroundSync } from './background-sync.ts';

export const outboxLock = 'sightglass-outbox';

/** How long to wait after the outbox's own storage failed. */
const storageRestMs = 5_000;
/** While it sends, what others changed is looked at so often. */
const betweenLooksMs = 500;
/** The longest a timer may be set for: clocks are changed, computers sleep. */
const longestWaitMs = 60_000;

/**
 * Sends from one tab of all: this one as soon as no other does. Goes on whenever something changes: an entry, a key, the
 * network. Returns what ends it.
 */
export function keepSending(
  sender: OutboxSender,
  store: OutboxStore,
  { onKey, onFailure }: { readonly onKey: (wake: () => void) => void; readonly onFailure: (error: unknown) => void },
): () => void {
  const stopped = new AbortController();
  let wake = (): void => {};
  let looking: ReturnType<typeof setTimeout> | undefined;
  const wakeUp = (): void => {
    wake();
    // Each step of its own sending is a change, too.
    looking ??= setTimeout(() => {
      looking = undefined;
      sender.lookAgain();
      void sender.breakOff().catch(() => undefined);
    }, betweenLooksMs);
  };
  const forget = store.onChange(wakeUp);
  addEventListener('online', wakeUp, { signal: stopped.signal });
  onKey(wakeUp);

  async function send(signal: AbortSignal): Promise<void> {
    let mayHaveLeft = true; // entries as being sent: a sender before this one, or a storage that failed
    while (!signal.aborted) {
      if (mayHaveLeft) await recovered(sender, onFailure, signal);
      mayHaveLeft = false;
      // Made before it looks: what changes meanwhile is not missed.
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const nextMs = await sender.sendDue(signal).catch((error: unknown) => {
        onFailure(error);
        mayHaveLeft = true;
        return Date.now() + storageRestMs;
      });
      const { waiting, failed } = await store.counts().catch(() => ({ waiting: 0, failed: 0 }));
      if (waiting + failed > 0) askForBackgroundSync();
      if (!signal.aborted) await rest(nextMs, woken);
    }
  }

  const takeTurns = async (): Promise<void> => {
    // A turn ends early where another page took over: this one waits for its next.
    while (!stopped.signal.aborted) await runAlone(outboxLock, stopped.signal, send);
  };
  takeTurns().catch((error: unknown) => {
    if (!stopped.signal.aborted) onFailure(error);
  });
  return () => {
    forget();
    clearTimeout(looking);
    stopped.abort();
    wake();
  };
}

async function recovered(
  sender: OutboxSender,
  onFailure: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await sender.recover();
    } catch (error) {
      onFailure(error);
      if (error instanceof CaptureStoreError && error.code === 'newer-schema') return;
      await rest(Date.now() + storageRestMs, never);
    }
  }
}

const never = new Promise<void>(() => {});

/** Until the time comes, or it is woken. */
async function rest(untilMs: number | null, woken: Promise<void>): Promise<void> {
  const ms = untilMs === null ? longestWaitMs : Math.min(longestWaitMs, Math.max(0, untilMs - Date.now()));
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([woken, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
