const leastRoom = 256;

/** Scores in the order in which they came, side by side in memory; the oldest leave first. */
export class ScoreColumn {
  #values = new Float64Array(leastRoom);
  #first = 0;
  #end = 0;
  #asked = NaN;
  #answer = 0;

  get length(): number {
    return this.#end - this.#first;
  }

  push(score: number): void {
    if (this.#end === this.#values.length) this.#makeRoom();
    this.#values[this.#end++] = score;
    this.#asked = NaN;
  }

  /** Drops the oldest. */
  shift(): void {
    this.#first++;
    this.#asked = NaN;
  }

  /** How many scores reach a threshold; NaN reaches none. */
  countAtLeast(threshold: number): number {
    if (threshold === this.#asked) return this.#answer;
    const values = this.#values;
    const end = this.#end;
    let count = 0;
    for (let i = this.#first; i < end; i++) count += values[i]! >= threshold ? 1 : 0;
    this.#asked = threshold;
    this.#answer = count;
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
