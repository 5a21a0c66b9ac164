import type { FrameResult } from '../../../workers/vision/protocol.ts';
import type { RawClassifications, RawDetections } from '../../vision/detections.ts';
import { labelInterner } from '../../vision/filter/intern-labels.ts';

const MAX_FRAMES = 2000;

/** What is kept of a frame: the raw scores that thresholds cut, and nothing of what made them. */
export interface SeenFrame {
  readonly detections: Pick<RawDetections, 'count' | 'labels' | 'labelIndex' | 'score'> | null;
  readonly classifications: RawClassifications | null;
}

/** Raw scores of the frames seen under the plan in force, oldest first; a frame that ran again takes its own place. */
export class FrameHistory {
  // Not reactive on purpose: readers depend on the list below, which is renewed once a frame.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byFrame = new Map<string, SeenFrame>();
  readonly #internLabels = labelInterner();
  #results = $state.raw<readonly SeenFrame[]>([]);

  get results(): readonly SeenFrame[] {
    return this.#results;
  }

  add({ frame, detections, classifications }: FrameResult): void {
    this.#byFrame.set(`${frame.index} ${frame.name}`, {
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
    this.#results = [...this.#byFrame.values()];
  }

  clear(): void {
    this.#byFrame.clear();
    this.#results = [];
  }
}
