import { quantileOf } from './quantile.ts';

/** The stages of a frame's way from where it is offered until its boxes are drawn, in their order. */
export const frameStages = [
  'decode',
  'steps',
  'pack',
  'wait',
  'inference',
  'outputs',
  'picture',
  'handover',
  'filter',
  'page',
  'draw',
] as const;
export type FrameStage = (typeof frameStages)[number];

/** What the vision worker measured of one frame, in ms. */
export interface WorkerTimes {
  /** pixels read of the image */
  readonly decodeMs: number;
  readonly transformMs: number;
  readonly preprocessMs: number;
  /** the packed tensor waited for the model, which ran another frame */
  readonly modelWaitMs: number;
  readonly inferenceMs: number;
  readonly postprocessMs: number;
  /** the picture for the stage was made */
  readonly pictureMs: number;
}

/** When the page let a frame go and had it back, in ms of its own clock. */
export interface PageMarks {
  /** when the frame came from its source */
  readonly offeredAtMs: number;
  /** when the frame went to the worker: until then it waited for one before it */
  readonly givenAtMs: number;
  readonly answeredAtMs: number;
}

export interface Spread {
  readonly medianMs: number;
  /** 19 of 20 frames took no longer */
  readonly p95Ms: number;
}

export interface StageSpread extends Spread {
  readonly stage: FrameStage;
  /** share of the sum of all medians, 0..1 */
  readonly share: number;
}

/** Where the time of the last frames went. */
export interface FrameStatistics {
  /** how many frames it is of */
  readonly frames: number;
  /** from a frame's arrival until its boxes are drawn */
  readonly total: Spread;
  /** all of `frameStages` */
  readonly stages: readonly StageSpread[];
}

/** How many frames the statistics are of. */
export const framesKept = 300;

const column = Object.fromEntries(frameStages.map((stage, at) => [stage, at])) as Record<FrameStage, number>;
const totalColumn = frameStages.length;
const columns = totalColumn + 1;

/**
 * The times of the last 300 frames, a row each. Told what happened by numbers, it allocates nothing: it is asked once a frame
 * of the live loop, and sorts only when it is looked at.
 */
export class FrameTimes {
  readonly #rows = new Float64Array(framesKept * columns);
  /** one column at a time */
  readonly #sorted = new Float64Array(framesKept);
  /** rows written since the last `clear` */
  #written = 0;
  /** where the newest row begins */
  #row = 0;
  /** the newest row's frame came back, and is not drawn yet */
  #isOpen = false;
  #answeredAtMs = 0;

  /** A frame came back. What is filtered and drawn from now on is of this one. */
  answered(worker: WorkerTimes, page: PageMarks): void {
    const rows = this.#rows;
    const at = (this.#row = (this.#written++ % framesKept) * columns);
    const insideMs =
      worker.decodeMs +
      worker.transformMs +
      worker.preprocessMs +
      worker.modelWaitMs +
      worker.inferenceMs +
      worker.postprocessMs +
      worker.pictureMs;
    rows[at + column.decode] = worker.decodeMs;
    rows[at + column.steps] = worker.transformMs;
    rows[at + column.pack] = worker.preprocessMs;
    rows[at + column.wait] = page.givenAtMs - page.offeredAtMs + worker.modelWaitMs;
    rows[at + column.inference] = worker.inferenceMs;
    rows[at + column.outputs] = worker.postprocessMs;
    rows[at + column.picture] = worker.pictureMs;
    rows[at + column.handover] = Math.max(0, page.answeredAtMs - page.givenAtMs - insideMs);
    rows[at + column.filter] = 0;
    rows[at + column.page] = 0;
    rows[at + column.draw] = 0;
    rows[at + totalColumn] = page.answeredAtMs - page.offeredAtMs;
    this.#answeredAtMs = page.answeredAtMs;
    this.#isOpen = true;
  }

  /** The newest frame's results were filtered; what is filtered again after it was drawn is another matter. */
  filtered(ms: number): void {
    if (this.#isOpen) this.#rows[this.#row + column.filter]! += ms;
  }

  /** The newest frame's boxes were drawn, from and until these times of the page's clock; only the first time counts. */
  drawn(fromMs: number, untilMs: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const [rows, at] = [this.#rows, this.#row];
    rows[at + column.page] = Math.max(0, fromMs - this.#answeredAtMs - rows[at + column.filter]!);
    rows[at + column.draw] = untilMs - fromMs;
    rows[at + totalColumn]! += untilMs - this.#answeredAtMs;
  }

  /** Frames from now on go another way: another source, plan or model. */
  clear(): void {
    this.#written = 0;
    this.#isOpen = false;
  }

  /** null where no frame was seen. */
  statistics(): FrameStatistics | null {
    const frames = Math.min(this.#written, framesKept);
    if (frames === 0) return null;
    const spreads = frameStages.map((stage) => ({ stage, ...this.#spread(column[stage], frames) }));
    const sumMs = spreads.reduce((sum, { medianMs }) => sum + medianMs, 0);
    const shareOf = (medianMs: number): number => (sumMs > 0 ? medianMs / sumMs : 0);
    return {
      frames,
      total: this.#spread(totalColumn, frames),
      stages: spreads.map((spread) => ({ ...spread, share: shareOf(spread.medianMs) })),
    };
  }

  /** One object a frame, the oldest first: ms by stage, and in all. */
  list(): Readonly<Record<FrameStage | 'total', number>>[] {
    const frames = Math.min(this.#written, framesKept);
    return Array.from({ length: frames }, (_, index) => {
      const at = ((this.#written - frames + index) % framesKept) * columns;
      const times = frameStages.map((stage) => [stage, this.#rows[at + column[stage]]!]);
      return Object.fromEntries([...times, ['total', this.#rows[at + totalColumn]]]) as Record<
        FrameStage | 'total',
        number
      >;
    });
  }

  #spread(at: number, frames: number): Spread {
    const sorted = this.#sorted.subarray(0, frames);
    for (let row = 0; row < frames; row++) sorted[row] = this.#rows[row * columns + at]!;
    sorted.sort();
    return { medianMs: quantileOf(sorted, 0.5), p95Ms: quantileOf(sorted, 0.95) };
  }
}
