import type { ThumbnailClient } from '../../../../../workers/thumbnails/client.ts';
import type { DrawnPicture, PictureBytes } from '../../../../../workers/thumbnails/protocol.ts';

/** A picture to draw as a thumbnail. */
export interface Pictured {
  readonly id: string;
  readonly sizeBytes: number;
}

/** Fetches bytes by id. The buffers are transferred to the worker that draws. */
export type FetchBytes = (ids: readonly string[], signal: AbortSignal) => Promise<readonly PictureBytes[]>;

export interface ThumbnailCachePorts {
  readonly fetch: FetchBytes;
  readonly client: ThumbnailClient;
  /** Calls `run` after a short rest: pictures that scroll past are not fetched. */
  readonly later: (run: () => void) => void;
}

type Listener = (picture: DrawnPicture) => void;
interface Wanted extends Pictured {
  /** higher numbers are drawn first */
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
 * Draws the thumbnails that are in sight. Those that came into sight last are fetched first, in small batches; those
 * that scroll out before their turn are never fetched, and a fetch without a listener is cancelled.
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

  /** The thumbnail if it was drawn; undefined: request it. */
  get(id: string): DrawnPicture | undefined {
    return this.#drawn.get(id);
  }

  /** Requests a thumbnail; returns a function that cancels the request. */
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
    // The latest request first, and within it in order.
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
          if (!found.has(id)) this.#put(batch, id, { reason: 'The image is no longer stored.' });
      }
    } catch {
      // It was cancelled, deleted meanwhile, or the service stopped: it is requested again when it is next in sight.
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
