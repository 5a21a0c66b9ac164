import type { Change } from '../../../evidence/footage/changes.ts';
import { framesAPage, pageOf } from '../../../evidence/footage/pack-frames.ts';
import { RunDigest } from '../../../evidence/footage/run-digest.ts';
import type { LabelTimeline, TimelineSpan } from '../../../evidence/footage/timeline.ts';
import { errorMessage } from '../../../machine/vision/errors/error-message.ts';
import type { ServiceFilterRule } from '../../../machine/vision/filter/thresholds.ts';
import type { RunFrames } from './run-frames.ts';

/** What the results say under the thresholds in force, as far as they were added. */
interface DigestView {
  readonly labels: readonly LabelTimeline[];
  readonly changes: readonly Change[];
  readonly failedCount: number;
}

/** The frames to digest, and how. */
export interface DigestOrder {
  readonly frames: RunFrames;
  readonly rule: ServiceFilterRule;
  readonly span: TimelineSpan;
  readonly holdMs: number;
}

interface Growing {
  readonly order: DigestOrder;
  readonly digest: RunDigest;
  /** number of the next frame that is added */
  next: number;
  /** adds what there is; resolves when no frame is left */
  adding: Promise<void> | null;
}

const nothing: DigestView = { labels: [], changes: [], failedCount: 0 };

/** How often the result so far is shown while frames are read back, ms. */
const shownEveryMs = 500;

/** The digest of a run: it grows with the run, and is made again under another rule. */
export class FootageDigest {
  readonly #now: () => number;
  #growing: Growing | null = null;
  #view = $state.raw(nothing);
  #share = $state(1);
  #fault = $state('');

  constructor(now: () => number) {
    this.#now = now;
  }

  get labels(): readonly LabelTimeline[] {
    return this.#view.labels;
  }

  get changes(): readonly Change[] {
    return this.#view.changes;
  }

  get failedCount(): number {
    return this.#view.failedCount;
  }

  /** 0..1 of the frames that are in it. Below 1 while those of a long run are read back. */
  get share(): number {
    return this.#share;
  }

  /** Why frames could not be read back; '': they could. */
  get fault(): string {
    return this.#fault;
  }

  /**
   * Adds the frames that are not in it yet. Resolves to the digest of all of them, once it is whole; null: another rule came,
   * or frames could not be read back.
   */
  async follow(order: DigestOrder): Promise<RunDigest | null> {
    const { frames, rule, span, holdMs } = order;
    const before = this.#growing?.order;
    if (before && before.frames !== frames) this.forget(); // those of another run, maybe of another model
    if (before?.frames !== frames || before.rule !== rule || before.span.toMs !== span.toMs)
      this.#growing = { order, digest: new RunDigest(span, rule, holdMs), next: 0, adding: null };
    const growing = this.#growing!;
    do {
      growing.adding ??= this.#add(growing).finally(() => (growing.adding = null));
      await growing.adding;
    } while (this.#growing === growing && !this.#fault && growing.next <= (frames.last?.index ?? -1));
    return this.#growing === growing && !this.#fault ? growing.digest : null;
  }

  /** Shows nothing until frames are added again. */
  forget(): void {
    this.#growing = null;
    this.#view = nothing;
    this.#share = 1;
    this.#fault = '';
  }

  async #add(growing: Growing): Promise<void> {
    const { frames } = growing.order;
    let shownMs = this.#now();
    try {
      for (let last = frames.last?.index ?? -1; growing.next <= last; last = frames.last!.index) {
        const number = pageOf(growing.next);
        const page = await frames.page(number);
        if (this.#growing !== growing) return;
        for (const frame of page) {
          if (frame.index < growing.next || frame.index > last) continue;
          growing.digest.add(frame);
          growing.next = frame.index + 1;
        }
        // Damaged frames are not there.
        growing.next = Math.max(growing.next, Math.min(last + 1, (number + 1) * framesAPage));
        if (this.#now() - shownMs < shownEveryMs) continue;
        shownMs = this.#now();
        this.#show(growing);
      }
      this.#fault = '';
      this.#show(growing);
    } catch (error) {
      if (this.#growing === growing) this.#fault = errorMessage(error);
    }
  }

  #show({ digest, order, next }: Growing): void {
    // The digest's own arrays grow: what is drawn is a copy, which is another object.
    const labels = digest.labels.map((one) => ({
      ...one,
      frames: one.frames.slice(),
      most: one.most.slice(),
      best: one.best.slice(),
      scores: one.scores.slice(),
    }));
    this.#view = { labels, changes: [...digest.changes], failedCount: digest.failedCount };
    this.#share = next > (order.frames.last?.index ?? -1) ? 1 : next / (order.frames.last!.index + 1);
  }
}
