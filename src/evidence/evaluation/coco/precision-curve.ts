const recallPoints = evenly(0, 1, 101);

/** Precision against recall of one label, size and IoU, read at 101 recalls. */
export class PrecisionCurve {
  readonly points = new Float64Array(recallPoints.length);
  found = 0;
  #precision = new Float64Array(1024);

  /**
   * @param outcome which results found truth, by bit, scores falling
   * @param iou number of the IoU threshold
   * @param truthCount how much truth counts; not 0
   */
  // Precision changes for the better only where truth is found, so those places are all that the curve needs.
  read(outcome: Uint32Array, iou: number, truthCount: number): void {
    if (this.#precision.length < truthCount) this.#precision = new Float64Array(2 * truthCount);
    const precision = this.#precision;
    const [truePositive, ignored] = [1 << iou, 1 << (iou + 16)];
    let found = 0;
    let wrong = 0;
    for (let at = 0; at < outcome.length; at++) {
      const bits = outcome[at]!;
      if (bits & truePositive) {
        precision[found] = (found + 1) / (wrong + (found + 1) + Number.EPSILON);
        found++;
      } else if (!(bits & ignored)) wrong++;
    }
    this.#readPoints(found, truthCount);
  }

  /**
   * The same with each result counted as often as its unit was drawn.
   * @param outcome of a sweep, scores falling
   * @param weightOf how often the result at a place counts
   * @param truthCount how much truth counts, weighed alike; not 0
   */
  readWeighted(outcome: Uint8Array, weightOf: (at: number) => number, truthCount: number): void {
    if (this.#precision.length < truthCount) this.#precision = new Float64Array(2 * truthCount);
    let found = 0;
    let wrong = 0;
    for (let at = 0; at < outcome.length; at++) {
      const weight = weightOf(at);
      if (outcome[at] === 0) wrong += weight;
      if (outcome[at] !== 1) continue;
      for (let time = 0; time < weight; time++) {
        this.#precision[found] = (found + 1) / (wrong + (found + 1) + Number.EPSILON);
        found++;
      }
    }
    this.#readPoints(found, truthCount);
  }

  #readPoints(found: number, truthCount: number): void {
    const precision = this.#precision;
    for (let at = found - 1; at > 0; at--) {
      if (precision[at]! > precision[at - 1]!) precision[at - 1] = precision[at]!;
    }
    let at = 0;
    for (let point = 0; point < recallPoints.length; point++) {
      while (at < found && (at + 1) / truthCount < recallPoints[point]!) at++;
      this.points[point] = at < found ? precision[at]! : 0;
    }
    this.found = found;
  }

  /** @returns average precision, of what was read last */
  mean(): number {
    let sum = 0;
    for (let point = 0; point < this.points.length; point++) sum += this.points[point]!;
    return sum / this.points.length;
  }
}

/**
 * @returns numbers as numpy's `linspace` makes them: start + k · step, with the end set
 */
export function evenly(from: number, to: number, count: number): Float64Array {
  const step = (to - from) / (count - 1);
  return Float64Array.from({ length: count }, (_, k) => (k === count - 1 ? to : k * step + from));
}
