import type { BoxColumns, DetectionSet, TruthSet } from './evaluation.ts';

/** x, y, width, height */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** Columns that grow by doubling. */
class GrowingColumns {
  count = 0;
  image = new Uint32Array(64);
  label = new Uint32Array(64);
  box = new Float64Array(4 * 64);
  /** one more number a row: score, or area */
  figure = new Float64Array(64);
  flags = new Uint8Array(64);

  push(image: number, label: number, [x, y, width, height]: Box, figure: number, flags: number): void {
    if (Number.isNaN(x + y + width + height + figure)) {
      throw new RangeError(
        `A box has a number that is none: box ${x}, ${y}, ${width}, ${height}, ${figure} in image ${image}.`,
      );
    }
    const at = this.count++;
    if (at === this.image.length) this.#grow(2 * at);
    this.image[at] = image;
    this.label[at] = label;
    this.box.set([x, y, width, height], 4 * at);
    this.figure[at] = figure;
    this.flags[at] = flags;
  }

  boxes(): BoxColumns {
    const { count } = this;
    return {
      count,
      image: this.image.slice(0, count),
      label: this.label.slice(0, count),
      box: this.box.slice(0, 4 * count),
    };
  }

  #grow(length: number): void {
    const grown = { image: new Uint32Array(length), label: new Uint32Array(length), flags: new Uint8Array(length) };
    grown.image.set(this.image);
    grown.label.set(this.label);
    grown.flags.set(this.flags);
    const [box, figure] = [new Float64Array(4 * length), new Float64Array(length)];
    box.set(this.box);
    figure.set(this.figure);
    Object.assign(this, grown, { box, figure });
  }
}

/**
 * Gathers detections image by image.
 *
 * @example
 * const builder = new DetectionSetBuilder();
 * builder.add(0, 2, [10, 20, 30, 40], 0.9);
 * const detections = builder.build();
 */
export class DetectionSetBuilder {
  readonly #columns = new GrowingColumns();

  /**
   * @param image number of the image
   * @param label number of the label
   * @param box x, y, width, height in pixels of the source picture
   * @param score how sure the model is
   * @throws RangeError for NaN
   */
  add(image: number, label: number, box: Box, score: number): void {
    this.#columns.push(image, label, box, score, 0);
  }

  /** @returns a copy of what is there so far, so that gathering can go on; its buffers are the caller's */
  build(): DetectionSet {
    const boxes = this.#columns.boxes();
    return { ...boxes, score: this.#columns.figure.slice(0, boxes.count) };
  }
}

/** What COCO says of a truth box besides its place. */
export interface TruthTraits {
  /** default: width × height */
  readonly area?: number;
  readonly isCrowd?: boolean;
  readonly isIgnored?: boolean;
}

/**
 * Gathers truth image by image.
 *
 * @example
 * const builder = new TruthSetBuilder();
 * builder.add(0, 2, [10, 20, 30, 40], { isCrowd: true });
 * const truth = builder.build();
 */
export class TruthSetBuilder {
  readonly #columns = new GrowingColumns();

  /**
   * @param image number of the image
   * @param label number of the label
   * @param box x, y, width, height in pixels of the source picture
   * @param traits its area field, and whether it is a crowd or ignored
   * @throws RangeError for NaN
   */
  add(image: number, label: number, box: Box, { area, isCrowd = false, isIgnored = false }: TruthTraits = {}): void {
    this.#columns.push(image, label, box, area ?? box[2] * box[3], (isCrowd ? 1 : 0) | (isIgnored ? 2 : 0));
  }

  /** @returns a copy of what is there so far; its buffers are the caller's */
  build(): TruthSet {
    const boxes = this.#columns.boxes();
    const { figure, flags } = this.#columns;
    return {
      ...boxes,
      area: figure.slice(0, boxes.count),
      crowd: flags.slice(0, boxes.count).map((flag) => flag & 1),
      ignore: flags.slice(0, boxes.count).map((flag) => flag >> 1),
    };
  }
}
