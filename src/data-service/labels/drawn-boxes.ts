import type { BoundingBox } from '../ports/stored-captures.ts';

/** What somebody drew on one image, in little memory. */
export interface DrawnBoxes {
  /** the number of each box's label */
  readonly labels: Uint32Array;
  /** x, y, width, height of each, by fractions of the image */
  readonly corners: Float64Array;
}

/** Numbers labels, in the order in which they are met. */
export class LabelNumbers {
  readonly #numbers = new Map<string, number>();
  readonly names: string[] = [];

  of(label: string): number {
    let number = this.#numbers.get(label);
    if (number === undefined) {
      number = this.names.push(label) - 1;
      this.#numbers.set(label, number);
    }
    return number;
  }

  drawn(boxes: readonly BoundingBox[]): DrawnBoxes {
    const corners = new Float64Array(4 * boxes.length);
    for (const [row, box] of boxes.entries()) {
      const { xMinNormalized: x, yMinNormalized: y, xMaxNormalized, yMaxNormalized } = box;
      corners[4 * row] = x;
      corners[4 * row + 1] = y;
      corners[4 * row + 2] = xMaxNormalized - x;
      corners[4 * row + 3] = yMaxNormalized - y;
    }
    return { labels: Uint32Array.from(boxes, ({ label }) => this.of(label)), corners };
  }
}

/** The rows of each label, in their order. */
export function rowsByLabel({ labels }: DrawnBoxes): ReadonlyMap<number, readonly number[]> {
  const rows = new Map<number, number[]>();
  for (const [row, label] of labels.entries()) {
    const own = rows.get(label);
    if (own) own.push(row);
    else rows.set(label, [row]);
  }
  return rows;
}
