import type { FrameResult } from '../../../workers/vision/protocol.ts';
import type { RawClassifications, RawDetections } from '../../vision/detections.ts';
import { labelInterner } from '../../vision/filter/intern-labels.ts';

const MAX_FRAMES = 2000;

/** What is kept of a frame: the raw scores that thresholds cut, and nothing of what made them. */
export interface SeenFrame {
  readonly detections: Pick<RawDetections, 'count' | 'labels' | 'labelIndex' | 'score'> | null;
  readonly classifications: RawClassifications | null;
}

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
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byFrame = new Map<string, KeptFrame>();
  readonly #internLabels = labelInterner();
  #frames = $state.raw<readonly KeptFrame[]>([]);
  #source = $state('');
  scope = $state<HistoryScope>('source');

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
  }
}
