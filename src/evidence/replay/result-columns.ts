/**
 * What a vision service said of many frames, as columns: three million frames are no objects. Boxes are not here; an
 * opened frame is fetched by its capture time.
 */
export interface ResultColumns {
  /** capture times since 1970, in milliseconds; none is before the one in front of it */
  readonly timesMs: Float64Array;
  /** one more than frames: frame i has the results starts[i] … starts[i + 1] - 1 */
  readonly starts: Uint32Array;
  /** by result: index into `names` */
  readonly labels: Uint32Array;
  /** by result: its confidence as it is stored, a double */
  readonly scores: Float64Array;
  /** each label once, spelled as it is stored */
  readonly names: readonly string[];
}

/**
 * Puts columns together that come in pieces, each with names of its own.
 *
 * @example
 * const builder = new ResultColumnsBuilder();
 * const [starts, labels] = [Uint32Array.of(0, 1), Uint32Array.of(0)];
 * builder.append({ timesMs: Float64Array.of(1000), starts, labels, scores: Float64Array.of(0.4), names: ['cat'] });
 * builder.append({ timesMs: Float64Array.of(2000), starts, labels, scores: Float64Array.of(0.7), names: ['dog'] });
 * const { names, ...columns } = builder.build();
 */
export class ResultColumnsBuilder {
  #frameCount = 0;
  #resultCount = 0;
  #timesMs = new Float64Array(1024);
  #starts = new Uint32Array(1025);
  #labels = new Uint32Array(1024);
  #scores = new Float64Array(1024);
  readonly #numbers = new Map<string, number>();
  #built: ResultColumns | null = null;

  get frameCount(): number {
    return this.#frameCount;
  }

  /**
   * Copies a piece behind what is there.
   * @param piece its first frame is not before the last one that is there
   * @throws RangeError for columns that do not fit together, or times that fall; nothing is appended then
   */
  append(piece: ResultColumns): void {
    const { timesMs, starts, labels, scores, names } = piece;
    refuseUnfit(piece, this.#frameCount === 0 ? -Infinity : this.#timesMs[this.#frameCount - 1]!);
    const [frames, results] = [this.#frameCount + timesMs.length, this.#resultCount + labels.length];
    this.#timesMs = withRoom(this.#timesMs, frames, Float64Array);
    this.#starts = withRoom(this.#starts, frames + 1, Uint32Array);
    this.#labels = withRoom(this.#labels, results, Uint32Array);
    this.#scores = withRoom(this.#scores, results, Float64Array);
    this.#timesMs.set(timesMs, this.#frameCount);
    for (let at = 1; at < starts.length; at++) this.#starts[this.#frameCount + at] = this.#resultCount + starts[at]!;
    const numbers = Uint32Array.from(names, (name) => this.#numberOf(name));
    for (let at = 0; at < labels.length; at++) this.#labels[this.#resultCount + at] = numbers[labels[at]!]!;
    this.#scores.set(scores, this.#resultCount);
    this.#frameCount = frames;
    this.#resultCount = results;
    this.#built = null;
  }

  /** @returns views of what is there so far, the same until more is appended, which leaves them as they are */
  build(): ResultColumns {
    return (this.#built ??= {
      timesMs: this.#timesMs.subarray(0, this.#frameCount),
      starts: this.#starts.subarray(0, this.#frameCount + 1),
      labels: this.#labels.subarray(0, this.#resultCount),
      scores: this.#scores.subarray(0, this.#resultCount),
      names: [...this.#numbers.keys()],
    });
  }

  #numberOf(name: string): number {
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    return number;
  }
}

function refuseUnfit({ timesMs, starts, labels, scores, names }: ResultColumns, notBeforeMs: number): void {
  const resultCount = labels.length;
  if (starts.length !== timesMs.length + 1 || starts[0] !== 0 || starts.at(-1) !== resultCount) {
    throw new RangeError(
      `Results of ${timesMs.length} frames need ${timesMs.length + 1} starts from 0 to ${resultCount}, got ${starts.length} from ${starts[0]} to ${starts.at(-1)}.`,
    );
  }
  if (scores.length !== resultCount) {
    throw new RangeError(`${resultCount} labels need as many scores, got ${scores.length}.`);
  }
  let before = notBeforeMs;
  for (let frame = 0; frame < timesMs.length; frame++) {
    // Not <: a time that is not a number is refused too.
    if (!(timesMs[frame]! >= before)) {
      throw new RangeError(`Capture times must not fall, got ${timesMs[frame]} after ${before}.`);
    }
    if (starts[frame]! > starts[frame + 1]!) {
      throw new RangeError(`Starts must not fall, got ${starts[frame + 1]} after ${starts[frame]}.`);
    }
    before = timesMs[frame]!;
  }
  const unnamed = labels.find((label) => label >= names.length);
  if (unnamed !== undefined) throw new RangeError(`Label ${unnamed} has no name: there are ${names.length} names.`);
}

/** The same numbers in at least twice the room where they need more than there is. */
function withRoom<T extends Float64Array | Uint32Array>(column: T, length: number, of: new (length: number) => T): T {
  if (length <= column.length) return column;
  const grown = new of(Math.max(length, 2 * column.length));
  grown.set(column);
  return grown;
}
