import type { FrameResult } from '../../rpc/vision-protocol.ts';
import { labelInterner } from '../../vision/filter/intern-labels.ts';

const MAX_FRAMES = 2000;

/** Raw results of the frames seen under the plan in force, oldest first; a frame that ran again takes its own place. */
export class FrameHistory {
  // Not reactive on purpose: readers depend on the list below, which is renewed once a frame.
  // eslint-disable-next-line svelte/prefer-svelte-reactivity
  readonly #byFrame = new Map<string, FrameResult>();
  readonly #internLabels = labelInterner();
  #results = $state.raw<readonly FrameResult[]>([]);

  get results(): readonly FrameResult[] {
    return this.#results;
  }

  add(result: FrameResult): void {
    const { detections } = result;
    this.#byFrame.set(`${result.frame.index} ${result.frame.name}`, {
      ...result,
      detections: detections && { ...detections, labels: this.#internLabels(detections.labels) },
      // The history keeps figures, not pictures: whoever shows a frame closes its thumbnails.
      stages: result.stages.map((stage) => ({ ...stage, thumbnail: null })),
    });
    if (this.#byFrame.size > MAX_FRAMES) this.#byFrame.delete(this.#byFrame.keys().next().value!);
    this.#results = [...this.#byFrame.values()];
  }

  clear(): void {
    this.#byFrame.clear();
    this.#results = [];
  }
}
