import { StreamBreaks, type StreamBreak } from '../../../evidence/footage/filtered/stream-breaks.ts';
import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import type { FilteredBench } from './filtered-bench.ts';

/** A result of the stage, and how its frame came. */
export interface LiveFrame {
  readonly result: FrameResult;
  /** whether frames follow each other by themselves */
  readonly isStreaming: boolean;
  /** the source's frames have no time of their own: they count from when the page got them */
  readonly isTimedByPage: boolean;
  /** identifies what the results depend on; undefined: unknown */
  readonly madeBy: string | undefined;
}

/**
 * Gives each result of the stage to something that counts live frames.
 * @returns ends that
 */
export const hearFrames = (
  { session, sources, vision }: Pick<FilteredBench, 'session' | 'sources' | 'vision'>,
  counter: { take(frame: LiveFrame): void },
): (() => void) =>
  vision.onResult((result) =>
    counter.take({
      result,
      isStreaming: sources.isStreaming,
      isTimedByPage: sources.kind === 'machine',
      madeBy: session.resultsKeyOf(result),
    }),
  );

/** Why counting began when it did. */
export type LiveSince = 'opened' | 'source' | 'setting' | 'results';

/** When a counted frame was taken, and how it follows the one before. */
export interface LiveMoment {
  /** time by the source's clock, ms */
  readonly timeMs: number;
  /** when the page got it, ms since 1970 */
  readonly atMs: number;
  /** how long it ran, ms */
  readonly ranMs: number;
  /** time since the frame before, ms; Infinity: none counts before it */
  readonly stepMs: number;
  /** where frames did not follow each other, so that counting starts again; null: they did */
  readonly break: StreamBreak | null;
}

interface LiveStreamPorts {
  /** Forgets what was counted. */
  readonly begin: () => void;
  /** The breaks that do not count. */
  readonly passes?: StreamBreak['kind'];
}

/** The frames on the stage as something counts them: since when, under which order, for how long, and where they broke off. */
export class LiveStream<Order extends { readonly source: string }> {
  readonly #ports: LiveStreamPorts;
  #order: Order | null = null;
  #orderKey = '';
  #madeBy: string | undefined;
  #breaks = new StreamBreaks();
  /** index of the last frame */
  #index = -1;
  /** when the page got it, ms since 1970 */
  #atMs = 0;
  #passedMs = 0;
  #startMs = 0;
  #lastMs: number | null = null;
  #break = $state.raw<StreamBreak | null>(null);
  #since = $state.raw<LiveSince>('opened');

  constructor(ports: LiveStreamPorts) {
    this.#ports = ports;
  }

  /** null: nothing is counted */
  get order(): Order | null {
    return this.#order;
  }

  /** Where counting last started again as frames did not follow each other; null: they did. */
  get break(): StreamBreak | null {
    return this.#break;
  }

  get since(): LiveSince {
    return this.#since;
  }

  /** Time of the last frame by the source's clock, ms; null: no frame came yet. */
  get lastMs(): number | null {
    return this.#lastMs;
  }

  /** Time of the source that was counted, ms; pauses and what was not seen do not count. */
  get durationMs(): number {
    return this.#passedMs + (this.#lastMs === null ? 0 : this.#lastMs - this.#startMs);
  }

  /** Counts from now on under an order; one that is the same goes on. */
  follow(order: Order): void {
    const key = JSON.stringify(order);
    if (key === this.#orderKey) return;
    const before = this.#order;
    this.#order = order;
    this.#orderKey = key;
    this.#begin(!before ? 'opened' : before.source === order.source ? 'setting' : 'source');
  }

  /** Ends: nothing is counted any more. */
  end(): void {
    this.#order = null;
    this.#orderKey = '';
  }

  /** Takes the next frame. null: it does not count, as it is run again, or nobody knows what made its results. */
  next({ result, isStreaming, isTimedByPage, madeBy }: LiveFrame): LiveMoment | null {
    if (!this.#order || madeBy === undefined) return null;
    if (this.#madeBy !== undefined && madeBy !== this.#madeBy) this.#begin('results');
    this.#madeBy = madeBy;
    const { index, timestampMs, takenAtMs = timestampMs } = result.frame;
    const timeMs = isTimedByPage ? takenAtMs : timestampMs;
    if (index === this.#index && timeMs === this.#lastMs) return null;
    // An older frame is run again as well: where a source goes back, the page gets its frames later all the same.
    if (this.#lastMs !== null && timeMs < this.#lastMs && takenAtMs < this.#atMs) return null;
    this.#index = index;
    this.#atMs = takenAtMs;
    const ranMs = result.timings.totalMs + (result.besideMs ?? 0);
    const found = this.#breaks.next({ timeMs, atMs: takenAtMs, isStreaming, ranMs });
    const counted = found?.kind === this.#ports.passes ? null : found;
    if (counted) {
      this.#passedMs = this.durationMs;
      this.#break = counted;
    }
    const isFirst = counted !== null || this.#lastMs === null;
    const stepMs = isFirst ? Infinity : timeMs - this.#lastMs!;
    if (isFirst) this.#startMs = timeMs;
    this.#lastMs = timeMs;
    return { timeMs, atMs: takenAtMs, ranMs, stepMs, break: counted };
  }

  #begin(since: LiveSince): void {
    this.#breaks = new StreamBreaks();
    [this.#passedMs, this.#lastMs] = [0, null];
    this.#break = null;
    this.#since = since;
    this.#ports.begin();
  }
}
