import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { createHash } from 'node:crypto';
import type { Capture, CaptureParcel, ImageBox } from '../../src/evidence/capture/capture.ts';
import { CaptureStoreError } from '../../src/evidence/capture/capture-store.ts';
import { memoryCaptureStore } from '../memory-capture-store.ts';
import { tokenFor } from '../../src/remote/outbox/access-tokens.ts';
import { connectDataService } from '../../src/remote/outbox/data-service-connection.ts';
import { memoryOutboxStore } from '../memory-outbox-store.ts';
import { Outbox } from '../../src/remote/outbox/outbox.ts';
import { OutboxSender, type SenderPorts } from '../../src/remote/outbox/outbox-sender.ts';
import type { OutboxStore } from '../../src/remote/outbox/outbox-store.ts';
import { serverTarget, type ServerTarget } from '../../src/remote/outbox/outbox-target.ts';
import { redacting, type TargetKeys } from '../../src/remote/outbox/target-keys.ts';
import { UploadError } from '../../src/remote/outbox/upload-error.ts';
import { watchedFetch } from '../../src/remote/outbox/watched-fetch.ts';

export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The server that the simulated outbox sends to. */
export interface BenchTarget {
  readonly url: string;
  readonly keyId: string;
  readonly key: string;
  readonly partId: string;
}

/** Decides at each access of the sender to its store whether its process is killed there. */
export interface Fate {
  /** null: nothing happens; 'before', 'after': killed before or after the store's operation; 'full': the disk is full */
  next(): 'before' | 'after' | 'full' | null;
}

const nobody: Fate = { next: () => null };

/** A simulated browser with captures and an outbox on a virtual clock. Its sender can be killed and restarted. `name` is part of its upload ids. */
export function startBench(name: string, target: BenchTarget, fate: Fate = nobody) {
  const captures = memoryCaptureStore();
  const store = memoryOutboxStore();
  const keysInMemory = new Map<string, string>();
  const keys: TargetKeys = {
    get: async ({ id }) => keysInMemory.get(id) ?? null,
    give: async ({ id }, key) => void keysInMemory.set(id, key),
    isKept: async () => false,
    forget: async (id) => void keysInMemory.delete(id),
  };
  let nowMs = 1_700_000_000_000;
  let serial = 0;
  const outbox = new Outbox({
    store,
    captures,
    keys,
    sha256: async (bytes) => sha256Hex(bytes),
    randomId: () => `${name}-${String(++serial).padStart(4, '0')}`,
    nowMs: () => nowMs,
  });
  /** a killed process awaits this, so that it never continues */
  const never = new Promise<never>(() => {});
  let kill = (): void => {};
  /** requests of the killed process that are still running */
  const underWay = new Set<Promise<unknown>>();

  /** Runs the sender until it has finished, fails with an error of its store, or is killed. */
  async function live(): Promise<number | null | 'dead'> {
    // Wait until the requests of the previous process have arrived or failed, before the next process starts.
    while (underWay.size > 0) await Promise.all(underWay);
    const process = { isDead: false };
    const mortalFetch: typeof fetch = (...request) => {
      if (process.isDead) return never;
      const answer = fetch(...request);
      const ended: Promise<unknown> = answer.then(
        () => underWay.delete(ended),
        () => underWay.delete(ended),
      );
      underWay.add(ended);
      return answer;
    };
    const died = new Promise<'dead'>((resolve) => {
      kill = () => {
        process.isDead = true;
        resolve('dead');
      };
    });
    const mortal = <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) => {
      return async (...args: Args): Promise<T> => {
        if (process.isDead) return never;
        const next = fate.next();
        if (next === 'full') throw new CaptureStoreError('full', 'No room.');
        if (next === 'before') kill();
        if (process.isDead) return never;
        const result = await call(...args);
        if (next === 'after') kill();
        return process.isDead ? never : result;
      };
    };
    const mortalStore: OutboxStore = {
      ...store,
      update: mortal(store.update),
      updateAmong: mortal(store.updateAmong),
      updateTarget: mortal(store.updateTarget),
    };
    const sender = new OutboxSender({
      store: mortalStore,
      captures: { content: mortal(captures.content) },
      connect: connectTo(keys, mortalFetch),
      nowMs: () => nowMs,
      isOnline: () => true,
      onProgress: () => {},
    });
    const work = (async () => {
      try {
        await sender.recover();
        return await sender.sendDue(new AbortController().signal);
      } catch (error) {
        if (error instanceof CaptureStoreError) return nowMs;
        throw error;
      }
    })();
    return Promise.race([work, died]);
  }

  return {
    captures,
    store,
    outbox,
    keys,
    kill: () => kill(),
    get nowMs() {
      return nowMs;
    },
    async addTarget(): Promise<ServerTarget> {
      const { key, ...typed } = target;
      const added = serverTarget({ ...typed, id: 'there', name: '' });
      await keys.give(added, key, false);
      await store.putTarget(added);
      return added;
    },
    /** Restarts the sender until no entry waits. Gives the key again if it is required, and retries failed entries. */
    async runToEnd(onRound: () => void = () => {}): Promise<number> {
      for (let lives = 1; lives < 400; lives++) {
        onRound();
        const next = await live();
        if (next === 'dead') continue;
        if (next !== null) {
          nowMs = Math.max(nowMs, next);
          continue;
        }
        const wanting = (await store.targets()).filter(({ needsKey }) => needsKey);
        for (const one of wanting) await outbox.giveKey(one as ServerTarget, target.key, false);
        const { failed } = await store.counts();
        if (failed > 0) await outbox.retryAll();
        if (wanting.length === 0 && failed === 0) return lives;
      }
      throw new Error('The outbox never came to an end.');
    },
  };
}

export type Bench = ReturnType<typeof startBench>;

function connectTo(keys: TargetKeys, mortalFetch: typeof fetch): SenderPorts['connect'] {
  const authorizers = new Map<string, ReturnType<typeof tokenFor>>();
  return async (target) => {
    if (target.kind === 'browser') return null;
    const key = await keys.get(target);
    if (key === null) throw new UploadError('unauthenticated', 'No key.');
    const transport = () => createGrpcWebTransport({ baseUrl: target.url, fetch: watchedFetch(mortalFetch) });
    const authorize = authorizers.get(key) ?? tokenFor(transport, target.keyId, key);
    authorizers.set(key, authorize);
    return connectDataService({ transport, streams: false, partId: target.partId, authorize, redact: redacting(key) });
  };
}

/** A capture with random bytes and random boxes, some of them duplicates. */
export function randomParcel(random: () => number, number: number, componentName: string): CaptureParcel {
  const bytes = Uint8Array.from({ length: 1 + Math.floor(random() * 4000) }, () => Math.floor(random() * 256));
  const boxes = Array.from({ length: Math.floor(random() * 4) }, (_, at) => randomBox(random, at));
  if (boxes.length > 0 && random() < 0.3) boxes.push({ ...boxes[0]!, id: 'twice' });
  const timeRequestedMs = 1_700_000_000_000 + number * 33.367;
  const capture: Capture = {
    id: `capture-${String(number).padStart(4, '0')}`,
    reason: { kind: 'person' },
    source: { kind: 'live', name: componentName, index: number, timestampMs: number * 33.367 },
    image: {
      mediaType: 'image/jpeg',
      widthPx: 64,
      heightPx: 48,
      sizeBytes: bytes.length,
      sha256: sha256Hex(bytes),
      encoding: { quality: 0.92 },
    },
    timeRequestedMs,
    timeReceivedMs: timeRequestedMs + 40,
    setup: null,
    timings: null,
    detections: null,
    classifications: null,
    problems: [],
    tags: random() < 0.5 ? ['night', `number-${number}`] : [],
    boxes,
    classes: random() < 0.3 ? [{ id: 'class', label: 'dock', confidence: 0.75 }] : [],
    correctedAtMs: null,
  };
  return { capture, content: new Blob([bytes], { type: 'image/jpeg' }), thumbnail: null, raw: null };
}

export function randomBox(random: () => number, at: number): ImageBox {
  const [x, y] = [random() / 2, random() / 2];
  return {
    id: `box-${at}`,
    label: random() < 0.5 ? 'boat' : 'crane',
    xMinNormalized: x,
    yMinNormalized: y,
    xMaxNormalized: x + 0.25,
    yMaxNormalized: y + 0.25,
    confidence: random() < 0.5 ? null : Math.fround(random()),
  };
}
