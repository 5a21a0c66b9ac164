import type { ThumbnailClient } from '../../../../../workers/thumbnails/client.ts';
import type { DrawnPicture, PictureBytes } from '../../../../../workers/thumbnails/protocol.ts';

/** What is to be drawn small. */
export interface Pictured {
  readonly id: string;
  readonly sizeBytes: number;
}

/** The bytes are given away: their buffers go on to the worker that draws. */
export type FetchBytes = (ids: readonly string[], signal: AbortSignal) => Promise<readonly PictureBytes[]>;

export interface ThumbnailCachePorts {
  readonly fetch: FetchBytes;
  readonly client: ThumbnailClient;
  /** Calls once what flew past is gone: only what stays in sight is worth a fetch. */
  readonly later: (run: () => void) => void;
}

type Listener = (picture: DrawnPicture) => void;
interface Wanted extends Pictured {
  /** the later, the sooner */
  readonly turn: number;
  readonly listeners: Set<Listener>;
}
interface Batch {
  readonly abort: AbortController;
  readonly items: readonly Wanted[];
}

/** some 20 MB */
const mostKept = 2_000;
const mostBatches = 2;
const batchItems = 8;
const batchBytes = 6_000_000;

/**
 * The small pictures in sight. What came into sight last is fetched first, some at a time; what scrolls past before its
 * turn costs nothing, and a fetch that nobody waits for any more is cancelled.
 */
export class ThumbnailCache {
  readonly #ports: ThumbnailCachePorts;
  readonly #drawn = new Map<string, DrawnPicture>();
  readonly #waiting = new Map<string, Wanted>();
  readonly #batches = new Set<Batch>();
  #scheduled = false;
  #turn = 0;

  constructor(ports: ThumbnailCachePorts) {
    this.#ports = ports;
  }

  /** What is at hand; undefined for one yet to ask for. */
  get(id: string): DrawnPicture | undefined {
    return this.#drawn.get(id);
  }

  /** Asks for one; returns what takes the wish back. */
  request(item: Pictured, listener: Listener): () => void {
    const known = this.#drawn.get(item.id);
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
    this.#drawn.clear();
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
      for (const [id, url] of drawn) this.#put(batch, id, url);
      const missing = batch.items.map(({ id }) => id).filter((id) => !drawn.has(id));
      if (missing.length > 0 && !signal.aborted) {
        const fetched = await this.#ports.fetch(missing, signal);
        if (signal.aborted) return;
        const pictures = this.#ports.client.draw(fetched);
        await Promise.all(fetched.map(async ({ id }, at) => this.#put(batch, id, await pictures[at]!)));
        const found = new Set(fetched.map(({ id }) => id));
        for (const id of missing)
          if (!found.has(id)) this.#put(batch, id, { reason: 'The image is not stored any more.' });
      }
    } catch {
      // Cancelled, deleted meanwhile, or the service stopped: it is asked for again when it is next in sight.
    } finally {
      this.#end(batch);
      if (this.#waiting.size > 0) this.#schedule();
    }
  }

  #put(batch: Batch, id: string, picture: DrawnPicture): void {
    if (batch.abort.signal.aborted) return;
    this.#drawn.set(id, picture);
    for (const listener of batch.items.find((item) => item.id === id)?.listeners ?? []) listener(picture);
    if (this.#drawn.size > mostKept) this.#drawn.delete(this.#drawn.keys().next().value!);
  }

  #end(batch: Batch): void {
    if (this.#batches.delete(batch)) batch.abort.abort();
  }
}
