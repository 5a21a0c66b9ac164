import type { ResultColumns } from './result-columns.ts';

/** Columns as they are sent: numbers are little-endian, one behind the other. */
export interface ColumnChunk {
  /** float64 a frame */
  readonly timesMs: Uint8Array;
  /** uint32 a frame: how many results it has */
  readonly counts: Uint8Array;
  /** uint32 a result: index into the names of this chunk and of those before it */
  readonly labels: Uint8Array;
  /** float64 a result */
  readonly scores: Uint8Array;
  /** labels that no chunk before had, numbered on */
  readonly newNames: readonly string[];
}

/** Writes columns as chunks under one list of names. */
export class ColumnChunkWriter {
  readonly #numbers = new Map<string, number>();

  /**
   * @param columns the frames of the next chunk
   * @returns the chunk, in bytes of its own or those of the columns
   */
  write({ timesMs, starts, labels, scores, names }: ResultColumns): ColumnChunk {
    const known = this.#numbers.size;
    const numbers = Uint32Array.from(names, (name) => {
      const number = this.#numbers.get(name) ?? this.#numbers.size;
      this.#numbers.set(name, number);
      return number;
    });
    return {
      timesMs: bytesOf(timesMs),
      counts: bytesOf(Uint32Array.from(timesMs, (_, frame) => starts[frame + 1]! - starts[frame]!)),
      labels: bytesOf(labels.map((label) => numbers[label]!)),
      scores: bytesOf(scores),
      newNames: [...this.#numbers.keys()].slice(known),
    };
  }
}

/** Reads chunks of a `ColumnChunkWriter`, in their order. */
export class ColumnChunkReader {
  readonly #names: string[] = [];

  /**
   * @param chunk the next one
   * @returns its frames in arrays of their own, with the names of all chunks so far
   * @throws RangeError for bytes that do not fit together
   */
  read({ timesMs, counts, labels, scores, newNames }: ColumnChunk): ResultColumns {
    const ofFrames = numbersOf(counts, Uint32Array);
    const starts = new Uint32Array(ofFrames.length + 1);
    for (let frame = 0; frame < ofFrames.length; frame++) starts[frame + 1] = starts[frame]! + ofFrames[frame]!;
    this.#names.push(...newNames);
    return {
      timesMs: numbersOf(timesMs, Float64Array),
      starts,
      labels: numbersOf(labels, Uint32Array),
      scores: numbersOf(scores, Float64Array),
      names: [...this.#names],
    };
  }
}

type Column = Float64Array | Uint32Array;

// Browsers and the Node that ships run on little-endian machines alone, so a column's bytes are what is sent.
const bytesOf = ({ buffer, byteOffset, byteLength }: Column): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function numbersOf<T extends Column>(
  bytes: Uint8Array,
  of: (new (buffer: ArrayBuffer) => T) & { BYTES_PER_ELEMENT: number },
): T {
  if (bytes.length % of.BYTES_PER_ELEMENT !== 0) {
    throw new RangeError(`A column of numbers of ${of.BYTES_PER_ELEMENT} bytes has ${bytes.length} bytes.`);
  }
  return new of(new Uint8Array(bytes).buffer); // copied: numbers lie where any number of bytes may not
}
