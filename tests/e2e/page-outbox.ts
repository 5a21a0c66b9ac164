import { captureId } from '../../src/evidence/capture/capture.ts';
import { CaptureWriter } from '../../src/evidence/capture/capture-writer.ts';
import { Outbox } from '../../src/remote/outbox/outbox.ts';
import { openCaptures } from '../../src/platform/browser/indexed-db/capture-store/open-captures.ts';
import { sha256 } from '../../src/platform/browser/bytes/sha256.ts';
import { parcelOf } from '../contract/capture-entries.ts';

export interface PageServer {
  readonly url: string;
  readonly keyId: string;
  readonly key: string;
  readonly partId: string;
}

declare global {
  /** Captures a frame and queues it for a server, whose key is stored; does not send it. */
  var queueFrame: (server: PageServer) => Promise<void>;
  /** Captures frames of these sizes one by one; resolves to 'kept' or the error code for each. */
  var keepNoise: (sizesBytes: readonly number[]) => Promise<readonly string[]>;
  /** Retries captures that could not be stored since the page was loaded; resolves to the number of those that remain. */
  var retryUnsaved: () => Promise<number>;
  /** The sizes of all captured images, newest first. */
  var keptSizes: () => Promise<readonly (number | undefined)[]>;
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

const visit = openCaptures();
const writer = new CaptureWriter(visit.captures);

globalThis.keepNoise = async (sizesBytes) => {
  const outcomes: string[] = [];
  for (const sizeBytes of sizesBytes) {
    const noise = new Uint8Array(sizeBytes);
    for (let at = 0; at < sizeBytes; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536));
    const { capture, ...parcel } = parcelOf(captureId(Date.now(), crypto.randomUUID()));
    const image = { ...capture.image, sizeBytes };
    const kept = writer.keep({ ...parcel, capture: { ...capture, image }, content: new Blob([noise]) });
    outcomes.push(
      await kept.then(
        () => 'kept',
        ({ code }: { code: string }) => code,
      ),
    );
  }
  return outcomes;
};
globalThis.retryUnsaved = async () => {
  await writer.retry().catch(() => undefined);
  return writer.unsaved.length;
};
globalThis.keptSizes = async () => {
  const captures = await visit.captures.page(null, 100);
  return Promise.all(captures.map(async ({ id }) => (await visit.captures.content(id))?.size));
};

globalThis.outboxCounts = async () => {
  const { outbox, close } = openCaptures();
  const counts = await outbox.counts();
  await close();
  return counts;
};
