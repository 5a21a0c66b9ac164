import { Outbox } from '../../src/outbox/outbox.ts';
import { openCaptures } from '../../src/platform/browser/idb-capture-store/open-captures.ts';
import { sha256 } from '../../src/platform/browser/sha256.ts';
import { parcelOf } from '../contract/capture-entries.ts';

export interface PageServer {
  readonly url: string;
  readonly keyId: string;
  readonly key: string;
  readonly partId: string;
}

declare global {
  /** Keeps a frame and queues it for a server, whose key is to be kept; sends nothing. */
  var queueFrame: (server: PageServer) => Promise<void>;
  var outboxCounts: () => Promise<Readonly<Record<string, number>>>;
}

globalThis.queueFrame = async ({ key, ...typed }) => {
  const { captures, outbox: store, keys, close } = openCaptures();
  const randomId = (): string => crypto.randomUUID();
  const outbox = new Outbox({ store, captures, keys, sha256, randomId, nowMs: () => Date.now() });
  const parcel = parcelOf(randomId());
  await captures.put([parcel]);
  const { id } = await outbox.addTarget({ ...typed, name: 'Yard' }, key, true);
  await outbox.sendCaptures([parcel.capture], id);
  await close();
};

globalThis.outboxCounts = async () => {
  const { outbox, close } = openCaptures();
  const counts = await outbox.counts();
  await close();
  return counts;
};
