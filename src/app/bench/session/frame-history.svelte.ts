import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { labelInterner } from '../../../vision/filter/intern-labels.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { SeenFrame } from './seen-frame.ts';
import { readFrames, writeFrames } from './seen-frames-text.ts';

const MAX_FRAMES = 2000;
const MEMORY_KEY = 'seen-scores';
/** Of what a browser gives a page to remember, a tenth. */
const MOST_CHARACTERS = 500_000;

/** Which frames are counted: those of the source on the stage, or all that were seen. */
export type HistoryScope = 'source' | 'all';

interface KeptFrame extends SeenFrame {
  readonly source: string;
}

/**
 * Raw scores of the frames seen under the plan in force, oldest first; a frame that ran again takes its own place, and one
 * without a result none.
 */
export class FrameHistory {
  // Not reactive on purpose: readers depend on the list below, which is renewed now and then.
  readonly #byFrame = new Map<string, KeptFrame>();
  readonly #internLabels = labelInterner();
  #frames = $state.raw<readonly KeptFrame[]>([]);
  #source = $state('');
  scope = $state<HistoryScope>('source');
  readonly #memory: MemoryPort | null;
  /** what the scores are of: the model, and all else that makes a frame run again */
  #plan = '';

  /** @param memory where the scores are kept over a reload; null = nowhere */
  constructor(memory: MemoryPort | null = null) {
    this.#memory = memory;
  }

  /** What the scope takes in. */
  readonly results: readonly SeenFrame[] = $derived.by(() =>
    this.scope === 'all' ? this.#frames : this.#frames.filter(({ source }) => source === this.#source),
  );

  /** The source whose frames come now: a camera, a video, a set of pictures. */
  get source(): string {
    return this.#source;
  }

  /** Frames of other sources were seen under this plan. */
  readonly hasOthers: boolean = $derived.by(() => this.#frames.some(({ source }) => source !== this.#source));

  enter(source: string): void {
    this.#source = source;
  }

  /** Takes a frame in, which is among the results once they are renewed. */
  add({ frame, detections, classifications }: FrameResult): void {
    const source = this.#source;
    if (!detections && !classifications) return;
    this.#byFrame.set(`${frame.index} ${frame.name} ${source}`, {
      source,
      detections: detections && {
        count: detections.count,
        labels: this.#internLabels(detections.labels),
        labelIndex: detections.labelIndex,
        score: detections.score,
      },
      classifications: classifications && {
        labels: this.#internLabels(classifications.labels),
        score: classifications.score,
      },
    });
    if (this.#byFrame.size > MAX_FRAMES) this.#byFrame.delete(this.#byFrame.keys().next().value!);
  }

  /** Counts what was added since: from now on it is among the results. */
  renew(): void {
    this.#frames = [...this.#byFrame.values()];
  }

  /** Forgets every frame, of whatever source. */
  clear(): void {
    this.#byFrame.clear();
    this.#frames = [];
    const kept = this.#kept();
    if (kept?.plan === this.#plan) remember(this.#memory!, MEMORY_KEY, null);
  }

  /** From now on frames are of another plan, or of the same on the next visit: then what was kept of it comes back. */
  enterPlan(plan: string): void {
    this.#plan = plan;
    this.#byFrame.clear();
    const kept = this.#kept();
    for (const [id, source, seen] of kept?.plan === plan ? readFrames(kept.frames) : [])
      this.#byFrame.set(id, { ...seen, source });
    this.renew();
  }

  /** Keeps the scores over a reload. Those of another plan go once there are some of this one. */
  keep(): void {
    if (!this.#memory || this.#byFrame.size === 0) return;
    const frames = [...this.#byFrame].map(([id, { source, ...seen }]) => [id, source, seen] as const);
    remember(this.#memory, MEMORY_KEY, { plan: this.#plan, frames: writeFrames(frames, MOST_CHARACTERS) });
  }

  #kept(): { readonly plan: string; readonly frames: string } | null {
    const kept = this.#memory && (recall(this.#memory, MEMORY_KEY) as { plan?: unknown; frames?: unknown } | null);
    return typeof kept?.plan === 'string' && typeof kept.frames === 'string'
      ? { plan: kept.plan, frames: kept.frames }
      : null;
  }
}
