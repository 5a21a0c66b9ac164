import { Mp4Error } from './mp4-error.ts';

/** Samples of a track in decoding order, as columns: an hour of video has more than a hundred thousand. Times are in units of the track. */
export interface SampleColumns {
  readonly count: number;
  /** in bytes from the start of the file */
  readonly offset: Float64Array;
  readonly sizeBytes: Uint32Array;
  /** when it is shown, before the edit list */
  readonly shownAt: Float64Array;
  readonly duration: Uint32Array;
  /** 1: it can be decoded without those before it */
  readonly isKey: Uint8Array;
}

/** Columns that grow. */
export class SampleWriter {
  readonly #fileBytes: number;
  #count = 0;
  #columns = columnsOf(1024);

  constructor(fileBytes: number) {
    this.#fileBytes = fileBytes;
  }

  get count(): number {
    return this.#count;
  }

  /** @throws Mp4Error for a sample behind the end of the file: a damaged count would list billions of them */
  add(offset: number, sizeBytes: number, shownAt: number, duration: number, isKey: boolean): void {
    if (offset + sizeBytes > this.#fileBytes)
      throw new Mp4Error('it lists frames behind its end: it is damaged, or was cut off');
    if (this.#count === this.#columns.offset.length) this.#grow();
    const at = this.#count++;
    this.#columns.offset[at] = offset;
    this.#columns.sizeBytes[at] = sizeBytes;
    this.#columns.shownAt[at] = shownAt;
    this.#columns.duration[at] = duration;
    this.#columns.isKey[at] = isKey ? 1 : 0;
  }

  done(): SampleColumns {
    const { offset, sizeBytes, shownAt, duration, isKey } = this.#columns;
    const count = this.#count;
    return {
      count,
      offset: offset.slice(0, count),
      sizeBytes: sizeBytes.slice(0, count),
      shownAt: shownAt.slice(0, count),
      duration: duration.slice(0, count),
      isKey: isKey.slice(0, count),
    };
  }

  #grow(): void {
    const before = this.#columns;
    const after = columnsOf(2 * before.offset.length);
    after.offset.set(before.offset);
    after.sizeBytes.set(before.sizeBytes);
    after.shownAt.set(before.shownAt);
    after.duration.set(before.duration);
    after.isKey.set(before.isKey);
    this.#columns = after;
  }
}

const columnsOf = (count: number) => ({
  offset: new Float64Array(count),
  sizeBytes: new Uint32Array(count),
  shownAt: new Float64Array(count),
  duration: new Uint32Array(count),
  isKey: new Uint8Array(count),
});
