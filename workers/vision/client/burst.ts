import type { SourceImage } from '../../../src/platform/ports/picture-io.ts';
import type { FrameInfo } from '../../../src/machine/vision/face/frames.ts';
import type { KeptFrame } from '../protocol.ts';

/** How many bytes of raw frames may wait for the encoder at a time; low enough for any computer's memory. */
const mostBytesUnderWay = 256 * 2 ** 20;

/**
 * Keeps every frame of a stream, in order. A frame that was taken is never dropped: when the encoder falls behind,
 * `room` makes the stream's reader wait, and the camera drops frames before they are taken.
 */
export class Burst {
  readonly #keep: (frame: SourceImage, info: FrameInfo) => Promise<KeptFrame>;
  readonly #onFrame: (kept: KeptFrame) => void;
  readonly #onFailure: (error: unknown) => void;
  #bytesUnderWay = 0;
  #inOrder: Promise<void> = Promise.resolve();
  readonly #underWay = new Set<Promise<KeptFrame>>();

  /** `keep` takes ownership of a frame and encodes it. */
  constructor(
    keep: (frame: SourceImage, info: FrameInfo) => Promise<KeptFrame>,
    onFrame: (kept: KeptFrame) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#keep = keep;
    this.#onFrame = onFrame;
    this.#onFailure = onFailure;
  }

  /** Copies the frame; the caller keeps ownership of it. */
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

  /** Resolves when every frame that was taken has been handed on. */
  done(): Promise<void> {
    return this.#inOrder;
  }
}

/** A Blob is immutable and needs no copy. */
async function copyOf(frame: SourceImage): Promise<{ readonly copy: SourceImage; readonly sizeBytes: number }> {
  if (frame instanceof Blob) return { copy: frame, sizeBytes: frame.size };
  if ('displayWidth' in frame) {
    return { copy: frame.clone(), sizeBytes: 4 * frame.displayWidth * frame.displayHeight };
  }
  return { copy: await createImageBitmap(frame), sizeBytes: 4 * frame.width * frame.height };
}

const settled = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
