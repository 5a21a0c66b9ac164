import type { Transport } from '@connectrpc/connect';
import type { UploadProgress } from '../../../remote/outbox/outbox-entry.ts';
import { OutboxSender } from '../../../remote/outbox/outbox-sender.ts';
import { Outbox } from '../../../remote/outbox/outbox.ts';
import type { OutboxStore } from '../../../remote/outbox/outbox-store.ts';
import type { OpenCaptures } from '../indexed-db/capture-store/open-captures.ts';
import { sha256 } from '../bytes/sha256.ts';
import { connectTargets } from './connect-target.ts';
import { keepSending } from './keep-sending.ts';

export interface OpenOutbox {
  readonly outbox: Outbox;
  readonly store: OutboxStore;
  /** Bytes on their way, of whichever tab sends. Returns what ends it. */
  onProgress(listener: (entryId: string, progress: UploadProgress) => void): () => void;
  /** Why sending as a whole failed, as with a broken storage. */
  onFailure: (error: unknown) => void;
  close(): void;
}

interface ProgressWord {
  readonly entryId: string;
  readonly progress: UploadProgress;
}

/** The outbox of the page, and its sender: from now on what is in it is sent, by one tab of all. */
export function openOutbox(
  { captures, outbox: store, keys }: OpenCaptures,
  localTransport: () => Promise<Transport>,
  channelName = 'sightglass-outbox-progress',
): OpenOutbox {
  const listeners = new Set<(entryId: string, progress: UploadProgress) => void>();
  const channel = new BroadcastChannel(channelName);
  const hear = ({ entryId, progress }: ProgressWord): void =>
    listeners.forEach((listener) => listener(entryId, progress));
  channel.onmessage = ({ data }: MessageEvent<ProgressWord>) => hear(data);
  const sender = new OutboxSender({
    store,
    captures,
    connect: connectTargets(keys, localTransport),
    nowMs: () => Date.now(),
    isOnline: () => navigator.onLine,
    onProgress(entryId, progress) {
      hear({ entryId, progress });
      channel.postMessage({ entryId, progress } satisfies ProgressWord);
    },
  });
  const opened: OpenOutbox = {
    outbox: new Outbox({ store, captures, keys, sha256, randomId: () => crypto.randomUUID(), nowMs: () => Date.now() }),
    store,
    onProgress(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onFailure: () => {},
    close() {
      stop();
      channel.close();
    },
  };
  const stop = keepSending(sender, store, {
    onKey: (wake) => (keys.onKey = wake),
    onFailure: (error) => opened.onFailure(error),
  });
  // A service worker that looked while no page was open knew of no key.
  void keys.carried.then(async (targetIds) => {
    for (const id of targetIds) await store.updateTarget(id, (target) => ({ ...target, needsKey: false }));
  });
  return opened;
}
