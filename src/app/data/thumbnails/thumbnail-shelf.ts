import type { ThumbnailClient } from '../../../clients/thumbnail-client.ts';

/** What is to be drawn small. */
export interface Pictured {
  readonly id: string;
  readonly sizeBytes: number;
}

export type FetchBytes = (
  ids: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly mimeType: string }>>;

export interface ThumbnailShelfPorts {
  readonly fetch: FetchBytes;
  readonly client: ThumbnailClient;
  readonly createUrl: (image: Blob) => string;
  readonly revokeUrl: (url: string) => void;
  /** Calls once what flew past is gone: only what stays in sight is worth a fetch. */
  readonly later: (run: () => void) => void;
}

type Listener = (url: string | null) => void;
interface Wanted extends Pictured {
  /** the later, the sooner */
  readonly turn: number;
  readonly listeners: Set<Listener>;
}
interface Batch {
  readonly abort: AbortController;
  readonly items: readonly Wanted[];
}

const mostKept = 3_000;
const mostBatches = 2;
const batchItems = 8;
const batchBytes = 6_000_000;

/**
 * The small pictures in sight. What came into sight last is fetched first, some at a time; what scrolls past before its
 * turn costs nothing, and a fetch that nobody waits for any more is cancelled.
 */
export class ThumbnailShelf {
  readonly #ports: ThumbnailShelfPorts;
  /** null: it has no picture */
  readonly #urls = new Map<string, string | null>();
  readonly #waiting = new Map<string, Wanted>();
  readonly #batches = new Set<Batch>();
  #scheduled = false;
  #turn = 0;

  constructor(ports: ThumbnailShelfPorts) {
    this.#ports = ports;
  }

  /** The address of a small picture that is at hand; null for one that cannot be drawn, undefined for one yet to ask for. */
  get(id: string): string | null | undefined {
    return this.#urls.get(id);
  }

  /** Asks for one; returns what takes the wish back. */
  request(item: Pictured, listener: Listener): () => void {
    const known = this.#urls.get(item.id);
    if (known !== undefined) {
      listener(known);
      return () => undefined;
    }
    const { id, sizeBytes } = item;
    const inBatch = this.#inBatch(id);
    const listeners = inBatch?.listeners ?? this.#waiting.get(id)?.listeners ?? new Set<Listener>();
    const wanted = inBatch ?? { id, sizeBytes, listeners, turn: this.#turn };
    listeners.add(listener);
    if (!inBatch) this.#waiting.set(id, wanted);
    this.#schedule();
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      this.#waiting.delete(id);
      for (const batch of this.#batches)
        if (batch.items.every(({ listeners }) => listeners.size === 0)) this.#end(batch);
    };
  }

  close(): void {
    this.#waiting.clear();
    for (const batch of this.#batches) this.#end(batch);
    for (const url of this.#urls.values()) if (url !== null) this.#ports.revokeUrl(url);
    this.#urls.clear();
  }

  #inBatch(id: string): Wanted | undefined {
    for (const { items } of this.#batches) {
      const found = items.find((item) => item.id === id);
      if (found) return found;
    }
    return undefined;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#ports.later(() => {
      this.#scheduled = false;
      this.#turn += 1;
      while (this.#waiting.size > 0 && this.#batches.size < mostBatches) void this.#run(this.#nextBatch());
    });
  }

  #nextBatch(): Batch {
    const items: Wanted[] = [];
    let bytes = 0;
    // What came into sight last is drawn first, and of that what is first.
    for (const wanted of [...this.#waiting.values()].toSorted((a, b) => b.turn - a.turn)) {
      bytes += wanted.sizeBytes;
      if (items.length >= batchItems || (items.length > 0 && bytes > batchBytes)) break;
      items.push(wanted);
      this.#waiting.delete(wanted.id);
    }
    return { abort: new AbortController(), items };
  }

  async #run(batch: Batch): Promise<void> {
    this.#batches.add(batch);
    const { signal } = batch.abort;
    try {
      const drawn = await this.#ports.client.find(batch.items.map(({ id }) => id));
      for (const [id, image] of drawn) this.#put(batch, id, image);
      const missing = batch.items.map(({ id }) => id).filter((id) => !drawn.has(id));
      if (missing.length > 0 && !signal.aborted) {
        const fetched = await this.#ports.fetch(missing, signal);
        await Promise.all(
          missing.map(async (id) => {
            const file = fetched.get(id);
            if (signal.aborted) return;
            const image = file && new Blob([file.bytes], { type: file.mimeType });
            this.#put(batch, id, image ? await this.#ports.client.draw(id, image) : null);
          }),
        );
      }
    } catch {
      // Cancelled, deleted meanwhile, or the service stopped: it is asked for again when it is next in sight.
    } finally {
      this.#end(batch);
      if (this.#waiting.size > 0) this.#schedule();
    }
  }

  #put(batch: Batch, id: string, image: Blob | null): void {
    if (batch.abort.signal.aborted) return;
    const url = image && this.#ports.createUrl(image);
    this.#urls.set(id, url);
    for (const listener of batch.items.find((item) => item.id === id)?.listeners ?? []) listener(url);
    if (this.#urls.size <= mostKept) return;
    const [oldest, oldestUrl] = this.#urls.entries().next().value!;
    this.#urls.delete(oldest);
    if (oldestUrl !== null) this.#ports.revokeUrl(oldestUrl);
  }

  #end(batch: Batch): void {
    if (this.#batches.delete(batch)) batch.abort.abort();
  }
}
