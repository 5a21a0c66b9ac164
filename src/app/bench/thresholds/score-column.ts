const binCount = 64;
const leastRoom = 16;

/**
 * Scores in the order of arrival; the oldest are removed first. They are kept sorted into bins, so that a count
 * reads one bin and the lengths of the others: a moving threshold must not read 600,000 scores in every frame.
 */
export class ScoreColumn {
  readonly #order = new ScoreQueue();
  readonly #bins: (ScoreQueue | undefined)[] = new Array<ScoreQueue | undefined>(binCount).fill(undefined);

  get length(): number {
    return this.#order.length;
  }

  push(score: number): void {
    this.#order.push(score);
    (this.#bins[binOf(score)] ??= new ScoreQueue()).push(score);
  }

  /** Removes the oldest score, which is also the oldest of its bin. */
  shift(): void {
    if (this.length > 0) this.#bins[binOf(this.#order.shift())]!.shift();
  }

  /** Number of scores that reach a threshold; NaN reaches none. */
  countAtLeast(threshold: number): number {
    const bin = binOf(threshold);
    let count = this.#bins[bin]?.countAtLeast(threshold) ?? 0;
    for (let above = bin + 1; above < binCount; above++) count += this.#bins[above]?.length ?? 0;
    return count;
  }
}

/**
 * Monotonic in the score; the outer bins include scores below 0 and above 1, and NaN is in the lowest, where it
 * reaches no threshold.
 */
function binOf(score: number): number {
  return score > 0 ? Math.min(binCount - 1, Math.floor(score * binCount)) : 0;
}

/** A queue of scores in contiguous memory. */
class ScoreQueue {
  #values = new Float64Array(leastRoom);
  #first = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#first;
  }

  push(score: number): void {
    if (this.#end === this.#values.length) this.#makeRoom();
    this.#values[this.#end++] = score;
  }

  shift(): number {
    return this.#values[this.#first++]!;
  }

  countAtLeast(threshold: number): number {
    const values = this.#values;
    const end = this.#end;
    let count = 0;
    for (let i = this.#first; i < end; i++) count += values[i]! >= threshold ? 1 : 0;
    return count;
  }

  #makeRoom(): void {
    const { length } = this;
    const roomy = 2 * length > this.#values.length ? new Float64Array(2 * this.#values.length) : this.#values;
    if (roomy === this.#values) roomy.copyWithin(0, this.#first, this.#end);
    else roomy.set(this.#values.subarray(this.#first, this.#end));
    this.#values = roomy;
    this.#first = 0;
    this.#end = length;
  }
}
