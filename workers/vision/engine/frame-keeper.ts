import { greyGlancePx, greyThumbnail } from '../../../src/evidence/capture/grey-thumbnail.ts';
import { mediaTypeOf } from '../../../src/evidence/capture/media-type.ts';
import type { FrameEncoding, KeptFrame } from '../protocol.ts';
import { type FrameInfo, glanceAt, type ReadFrame } from '../../../src/machine/vision/face/frames.ts';
import type { PictureIo, SourceImage } from '../../../src/platform/ports/picture-io.ts';

/** A frame whose result was shown, or is on its way to the page. */
export interface HeldFrame {
  readonly frame: ReadFrame;
  readonly info: FrameInfo;
  /** the file that it was decoded from; null: a live frame */
  readonly original: Blob | null;
}

interface FrameKeeperPorts {
  readonly pictures: PictureIo;
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string>;
  /** Called when a frame is released. */
  readonly onRelease: (frame: ReadFrame) => void;
}

/**
 * The page has up to three frames pending, so the one on its stage is at most the fourth last result. The frames of
 * that many results are held, so that the frame that is kept is the one that gave the result.
 */
const heldResults = 4;
/** More than two encoders at a time would only slow each other down. */
const encodersAtOnce = 2;
const thumbnailLongestSidePx = 256;
const thumbnailQuality = 0.8;

/** Encodes source frames to be kept, in the order of the requests, beside the live loop. */
export class FrameKeeper {
  readonly #ports: FrameKeeperPorts;
  #held: HeldFrame[] = [];
  /** frames that wait for an encoder or are being encoded, once for each request */
  readonly #pinned: ReadFrame[] = [];
  #encoding = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(ports: FrameKeeperPorts) {
    this.#ports = ports;
  }

  /** Holds the frame of a result until there are four newer ones. */
  hold(held: HeldFrame): void {
    const before = this.#held;
    this.#held = [...before.filter(({ frame }) => frame !== held.frame), held].slice(-heldResults);
    for (const { frame } of before) if (!this.holds(frame)) this.#ports.onRelease(frame);
  }

  /** The frames of the last results, the oldest first. */
  get frames(): readonly ReadFrame[] {
    return this.#held.map(({ frame }) => frame);
  }

  holds(frame: ReadFrame): boolean {
    return this.#held.some((held) => held.frame === frame) || this.#pinned.includes(frame);
  }

  /**
   * The source frame of a result as a file: a file's own bytes, or the frame encoded; null: it is not held any
   * more.
   */
  async keep(info: FrameInfo, encoding: FrameEncoding): Promise<KeptFrame | null> {
    const held = this.#held.findLast((one) => isSame(one.info, info));
    return held ? this.#pin(held.frame, () => this.#encode(held, encoding)) : null;
  }

  /**
   * Reads a frame that is not run. The caller still has to close the image.
   * @throws ImageDecodeError
   */
  async read(image: SourceImage, info: FrameInfo): Promise<HeldFrame> {
    const original = image instanceof Blob ? image : null;
    return { frame: await this.#ports.pictures.read(image), info, original };
  }

  /** Encodes a frame that was read. */
  encode(held: HeldFrame, encoding: FrameEncoding): Promise<KeptFrame> {
    return this.#pin(held.frame, () => this.#encode(held, encoding));
  }

  async #pin<T>(frame: ReadFrame, work: () => Promise<T>): Promise<T> {
    this.#pinned.push(frame);
    try {
      if (this.#encoding >= encodersAtOnce) await new Promise<void>((start) => this.#waiting.push(start));
      this.#encoding++;
      return await work();
    } finally {
      this.#encoding--;
      this.#waiting.shift()?.();
      this.#pinned.splice(this.#pinned.indexOf(frame), 1);
      if (!this.holds(frame)) this.#ports.onRelease(frame);
    }
  }

  async #encode({ frame, info, original }: HeldFrame, encoding: FrameEncoding): Promise<KeptFrame> {
    const { pictures, sha256 } = this.#ports;
    const { widthPx, heightPx } = frame;
    const [encoded, thumbnail] = await Promise.all([
      original ?? encodedAs(pictures, frame, encoding),
      pictures.compress(frame, thumbnailQuality, thumbnailLongestSidePx).catch(() => null),
    ]);
    const bytes = new Uint8Array(await encoded.arrayBuffer());
    const mediaType = mediaTypeOf(bytes, encoded.type);
    const content = encoded.type === mediaType ? encoded : new Blob([encoded], { type: mediaType });
    const quality = encoding.mediaType === 'image/jpeg' ? encoding.quality : null;
    return {
      info,
      content,
      thumbnail,
      widthPx,
      heightPx,
      sha256: await sha256(bytes),
      encoding: original ? 'original' : { quality },
      grey: greyThumbnail(glanceAt(frame, greyGlancePx)),
    };
  }
}

function encodedAs(pictures: PictureIo, frame: ReadFrame, encoding: FrameEncoding): Promise<Blob> {
  return encoding.mediaType === 'image/png'
    ? pictures.encode(frame)
    : pictures.compress(frame, encoding.quality, Math.max(frame.widthPx, frame.heightPx));
}

function isSame(a: FrameInfo, b: FrameInfo): boolean {
  return a.index === b.index && a.name === b.name && a.timestampMs === b.timestampMs;
}
