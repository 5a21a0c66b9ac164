import type { FrameResult } from '../../../../workers/vision/protocol.ts';
import { labelInterner } from '../../../machine/vision/face/filters.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { SeenFrame } from './seen-frame.ts';
import { readFrames, writeFrames } from './seen-frames-text.ts';

const MAX_FRAMES = 2000;
const MAX_PLANS = 3;
const MEMORY_KEY = 'seen-scores';
/** A tenth of the storage that a browser gives a page, most of it for the plan in force. */
const MOST_CHARACTERS = 300_000;
const MOST_CHARACTERS_BEFORE = 100_000;

/** Which frames are counted: those of the source on the stage, or all. */
export type HistoryScope = 'source' | 'all';

interface KeptFrame extends SeenFrame {
  readonly source: string;
}

/**
 * Raw scores of the frames seen under the plan in force, oldest first; a frame that is run again replaces its
 * entry, and one without a result has none.
 */
export class FrameHistory {
  // Not reactive, so that readers are updated only when the list below is renewed.
  #byFrame = new Map<string, KeptFrame>();
  /** the frames of the latest plans before, for a model that comes back */
  readonly #before = new Map<string, Map<string, KeptFrame>>();
  readonly #internLabels = labelInterner();
  #frames = $state.raw<readonly KeptFrame[]>([]);
  /** The current source: a camera, a video, a set of pictures. */
  source: string = $state('');
  public scope = $state<HistoryScope>('source');
  readonly #memory: MemoryPort | null;
  /** identifies what the scores depend on: the model and everything else that makes a frame run again */
  #plan = '';

  /** @param memory stores the scores over a reload; null: they are not stored */
  constructor(memory: MemoryPort | null = null) {
    this.#memory = memory;
  }

  /** The frames within the scope. */
  readonly results: readonly SeenFrame[] = $derived.by(() =>
    this.scope === 'all' ? this.#frames : this.#frames.filter(({ source }) => source === this.source),
  );

  /** Whether frames of other sources were seen under this plan. */
  readonly hasOthers: boolean = $derived.by(() => this.#frames.some(({ source }) => source !== this.source));

  enter(source: string): void {
    this.source = source;
  }

  /** Adds a frame, which is in the results after the next `renew`. */
  add({ frame, detections, classifications }: FrameResult): void {
    const source = this.source;
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

  /** Publishes the frames that were added since the last call. */
  renew(): void {
    this.#frames = [...this.#byFrame.values()];
  }

  /** Forgets all frames of all sources. */
  clear(): void {
    const forgotten = new Set([this.#plan, ...this.#before.keys()]);
    this.#byFrame.clear();
    this.#before.clear();
    this.#frames = [];
    const kept = this.#kept();
    const others = kept.filter(({ plan }) => !forgotten.has(plan));
    if (others.length < kept.length) remember(this.#memory!, MEMORY_KEY, others);
  }

  /** Starts another plan. One that comes back has its frames again, on a later visit those that were stored. */
  enterPlan(plan: string): void {
    if (this.#byFrame.size > 0) this.#before.set(this.#plan, this.#byFrame);
    this.#plan = plan;
    this.#byFrame = this.#before.get(plan) ?? new Map();
    this.#before.delete(plan);
    if (this.#before.size > MAX_PLANS) this.#before.delete(this.#before.keys().next().value!);
    if (this.#byFrame.size > 0) return this.renew();
    const kept = this.#kept().find((one) => one.plan === plan);
    for (const [id, source, seen] of kept ? readFrames(kept.frames) : []) this.#byFrame.set(id, { ...seen, source });
    this.renew();
  }

  /** Stores the scores over a reload, and those of the latest plans before, of an earlier visit too. */
  keep(): void {
    if (!this.#memory) return;
    const now = [[this.#plan, this.#byFrame] as const, ...[...this.#before].toReversed()]
      .filter(([, frames]) => frames.size > 0)
      .map(([plan, frames]) => ({
        plan,
        frames: [...frames].map(([id, { source, ...seen }]) => [id, source, seen] as const),
      }));
    if (now.length === 0) return;
    const others = this.#kept()
      .filter((kept) => now.every(({ plan }) => plan !== kept.plan))
      .map(({ plan, frames }) => ({ plan, frames: readFrames(frames) }));
    const written = [...now, ...others]
      .slice(0, MAX_PLANS)
      .map(({ plan, frames }) => ({
        plan,
        frames: writeFrames(frames, plan === this.#plan ? MOST_CHARACTERS : MOST_CHARACTERS_BEFORE),
      }));
    remember(this.#memory, MEMORY_KEY, written);
  }

  #kept(): readonly { readonly plan: string; readonly frames: string }[] {
    const kept = this.#memory && recall(this.#memory, MEMORY_KEY);
    return Array.isArray(kept)
      ? kept.filter((one) => typeof one?.plan === 'string' && typeof one.frames === 'string')
      : [];
  }
}
