import type { SourceImage } from '../../../src/ports/picture-io.ts';
import type { FrameInfo } from '../../../src/vision/frame-info.ts';
import type { KeptFrame } from '../protocol.ts';

/** Raw frames that may be under way to their encoder at a time: what memory allows on any machine. */
const mostBytesUnderWay = 256 * 2 ** 20;

/**
 * Keeps every frame that a stream gives, in order. A frame that was taken is never dropped: when the encoder falls behind,
 * `room` makes the stream's reader wait, and the frames that the camera drops meanwhile were never taken.
 */
export class Burst {
  readonly #keep: (frame: SourceImage, info: FrameInfo) => Promise<KeptFrame>;
  readonly #onFrame: (kept: KeptFrame) => void;
  readonly #onFailure: (error: unknown) => void;
  #bytesUnderWay = 0;
  #inOrder: Promise<void> = Promise.resolve();
  readonly #underWay = new Set<Promise<KeptFrame>>();

  /** `keep` takes a frame over and encodes it. */
  constructor(
    keep: (frame: SourceImage, info: FrameInfo) => Promise<KeptFrame>,
    onFrame: (kept: KeptFrame) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#keep = keep;
    this.#onFrame = onFrame;
    this.#onFailure = onFailure;
  }

  /** Takes a copy of the frame; the frame stays the caller's. */
  async take(frame: SourceImage, info: FrameInfo): Promise<void> {
    const { copy, sizeBytes } = await copyOf(frame);
    this.#bytesUnderWay += sizeBytes;
    const kept = this.#keep(copy, info).finally(() => {
      this.#bytesUnderWay -= sizeBytes;
      this.#underWay.delete(kept);
    });
    this.#underWay.add(kept);
    this.#inOrder = this.#inOrder.then(() => kept).then(this.#onFrame, this.#onFailure);
  }

  /** Resolves when another frame may be taken. */
  async room(): Promise<void> {
    while (this.#bytesUnderWay > mostBytesUnderWay) await Promise.race([...this.#underWay].map(settled));
  }

  /** Resolves when every frame that was taken was handed on. */
  done(): Promise<void> {
    return this.#inOrder;
  }
}

/** A blob is one already: nobody can write into it. */
async function copyOf(frame: SourceImage): Promise<{ readonly copy: SourceImage; readonly sizeBytes: number }> {
  if (frame instanceof Blob) return { copy: frame, sizeBytes: frame.size };
  if ('displayWidth' in frame) {
    return { copy: frame.clone(), sizeBytes: 4 * frame.displayWidth * frame.displayHeight };
  }
  return { copy: await createImageBitmap(frame), sizeBytes: 4 * frame.width * frame.height };
}

const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
