import { lotOf } from '../../../evidence/evaluation/face/thresholds.ts';
import {
  chancesOf,
  type CorrectionWorth,
  countByImage,
  drawOrder,
  estimateCorrectedF1,
  type ImageCounts,
  type KnownColumns,
  knownSums,
  type OtherOpinion,
  stoppedEstimate,
  type UncorrectedImages,
  worthOfCorrecting,
} from '../../../evidence/evaluation/face/correction.ts';
import type { Estimate } from '../../../evidence/evaluation/face/intervals.ts';
import type { LabelSweep } from '../../../evidence/evaluation/face/sweep.ts';
import { recallOrders, rememberOrder, type CorrectionOrder } from '../../areas/correction-order.ts';
import type { MemoryPort } from '../../kit/memory/remembered.ts';
import type { Measured } from '../measure/box-counting.ts';
import type { TruthImage } from '../ports/truth-source.ts';
import { turnsOf, type PresentTurn } from './correction-turns.ts';

/** The run to correct: that on the page, at the current thresholds. */
export interface CorrectedRun {
  /** names model, configuration and set */
  readonly key: () => string;
  readonly setId: () => string;
  readonly measured: () => Measured;
  readonly sweeps: () => readonly LabelSweep[];
  readonly thresholds: () => Float64Array;
  /** boxes that a model made count for nothing, so that corrected images lack what a person left as it was */
  readonly leavesBoxesOut: () => boolean;
  /** what another run says of the same images, in their order; null: none is compared */
  readonly other: () => OtherOpinion | null;
}

/** An image that waits for its turn. */
export interface WaitingImage {
  readonly image: TruthImage;
  readonly worth: CorrectionWorth;
}

/** F1 after so many corrections. */
export interface EstimateAfter {
  readonly count: number;
  readonly estimate: Estimate;
}

const mostListed = 8;
const curvePoints = 40;

/**
 * Which images are worth correcting next, and what F1 of all images is by those that were corrected. Only images from
 * the beginning of the order on count: they are a sample whose chances are known.
 */
export class CorrectionQueue {
  readonly #run: CorrectedRun;
  readonly #memory: MemoryPort;
  readonly #seed: () => number;
  #orders = $state.raw<readonly CorrectionOrder[]>([]);

  constructor(run: CorrectedRun, memory: MemoryPort, seed: () => number = () => Math.floor(Math.random() * 2 ** 32)) {
    this.#run = run;
    this.#memory = memory;
    this.#seed = seed;
    this.#orders = recallOrders(memory);
  }

  readonly #order: CorrectionOrder | null = $derived.by(
    () => this.#orders.find(({ key }) => key === this.#run.key()) ?? null,
  );
  /** Names the order in addresses; null: none is drawn. */
  readonly orderId: string | null = $derived.by(() => this.#order?.id ?? null);
  readonly isDrawn: boolean = $derived.by(() => this.#order !== null);

  readonly #turns: readonly PresentTurn[] = $derived.by(() => turnsOf(this.#order, this.#run.measured().images));

  /** How many images have their turn. */
  readonly total: number = $derived.by(() => this.#turns.length);
  /** How many images came to the set after the order was drawn, and have no turn. */
  readonly late: number = $derived.by(() =>
    this.isDrawn ? this.#run.measured().images.length - this.#turns.length : 0,
  );
  /** How many were corrected from the beginning of the order on. */
  readonly count: number = $derived.by(() => {
    const open = this.#turns.findIndex(({ isCorrected }) => !isCorrected);
    return open < 0 ? this.#turns.length : open;
  });
  /** Corrected images that count only when those before them are corrected, too. */
  readonly ahead: number = $derived.by(() => this.#turns.filter(({ isCorrected }) => isCorrected).length - this.count);

  readonly #images: UncorrectedImages = $derived.by(() => {
    const { space, detections } = this.#run.measured().boxes;
    return { space, detections, thresholds: this.#run.thresholds(), other: this.#run.other(), isCorrected: null };
  });
  readonly #known: KnownColumns = $derived.by(() => knownSums(this.#images));
  readonly #counts: ImageCounts = $derived.by(() =>
    countByImage(this.#run.sweeps(), this.#run.thresholds(), this.#images.space.imageCount),
  );

  /** The images whose turn is next, with why they are worth it at the current thresholds. */
  readonly next: readonly WaitingImage[] = $derived.by(() => {
    const worth = worthOfCorrecting(this.#images);
    return this.#turns
      .filter(({ isCorrected }) => !isCorrected)
      .slice(0, mostListed)
      .map(({ number }) => ({ image: this.#run.measured().images[number]!.image, worth: worth[number]! }));
  });

  /** Whether F1 cannot be estimated, because truth is left out of corrected images. */
  readonly isBiased: boolean = $derived.by(() => this.#run.leavesBoxesOut());

  /** F1 of all images; null: too few are corrected, or truth is left out. */
  readonly estimate: Estimate | null = $derived.by(() => this.#after(this.count));

  /** How F1 and its interval became what they are. */
  readonly curve: readonly EstimateAfter[] = $derived.by(() => {
    const step = Math.max(1, Math.ceil(this.count / curvePoints));
    const counts = Array.from({ length: Math.floor(this.count / step) }, (_, at) => this.count - at * step);
    return counts.reverse().flatMap((count) => {
      const estimate = this.#after(count);
      return estimate ? [{ count, estimate }] : [];
    });
  });

  /** F1 for whoever stops once its interval is so narrow; null: it was not yet. */
  stopped(width: number): Estimate | null {
    return stoppedEstimate((count) => this.#after(count), this.count, this.total, width);
  }

  #after(count: number): Estimate | null {
    if (this.isBiased) return null;
    const turns = this.#turns;
    const each = Array.from(turns, (_, turn) => turn);
    const [worth, lots] = [turns.map((turn) => turn.worth), turns.map(({ lot }) => lot)];
    const images = turns.slice(0, count).map(({ number }) => number);
    const chances = chancesOf(worth, lots, each, count);
    // Images that came to the set later have no turn: what is known of the others is what counts.
    const sums = this.#known.map((column) => keptAt(column, turns));
    return estimateCorrectedF1({ images, chances, counts: this.#counts, total: turns.length }, sums);
  }

  /** Draws the order anew: what was corrected before stays so, but counts in the new order only by its turn. */
  draw(): void {
    const seed = this.#seed();
    const images = this.#run.measured().images.map(({ image }) => image);
    const worth = worthOfCorrecting(this.#images).map((of) => Number(of.worth.toFixed(4)));
    const lots = images.map(({ id }) => Math.max(lotOf(`${seed} ${id}`), 2 ** -33));
    const turns = Array.from(drawOrder(worth, lots), (at) => ({
      id: images[at]!.id,
      worth: worth[at]!,
      lot: lots[at]!,
    }));
    const { id, corrected } = this.#latest() ?? { id: String(seed), corrected: [] };
    this.#keep({ id, key: this.#run.key(), setId: this.#run.setId(), turns, corrected });
  }

  /** A person says that the boxes of the image are right now. */
  confirm(imageId: string): void {
    const order = this.#latest();
    if (order && !order.corrected.includes(imageId)) this.#keep({ ...order, corrected: [...order.corrected, imageId] });
  }

  /** Takes the last one back. */
  undo(): void {
    const order = this.#latest();
    if (order) this.#keep({ ...order, corrected: order.corrected.slice(0, -1) });
  }

  readonly canUndo: boolean = $derived.by(() => (this.#order?.corrected.length ?? 0) > 0);

  /** The order as it is stored: the box editor marks images in other tabs of the browser. */
  #latest(): CorrectionOrder | null {
    return recallOrders(this.#memory).find(({ key }) => key === this.#run.key()) ?? this.#order;
  }

  #keep(order: CorrectionOrder): void {
    rememberOrder(this.#memory, order);
    this.#orders = [order, ...this.#orders.filter(({ key }) => key !== order.key)];
  }
}

/** A column with zeros for images that have no turn, so that its sum is that of the others. */
function keptAt(column: Float64Array, turns: readonly { readonly number: number }[]): Float64Array {
  const kept = new Float64Array(column.length);
  for (const { number } of turns) kept[number] = column[number]!;
  return kept;
}
