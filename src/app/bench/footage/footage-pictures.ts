import type { FootagePlace } from '../../../platform/ports/footage-frames.ts';
import type { FootageReader, ReadFootageFrame } from '../../../platform/ports/footage-reader.ts';
import { smallCopy } from '../../kit/picture/small-copy.ts';
import { asStored } from '../../kit/picture/stored-picture.ts';
import { oneAtATime } from '../../../base/schedule/one-at-a-time.ts';

const mostThumbnails = 400;

/** Pictures of frames that were run, read again from the footage. */
export class FootagePictures {
  readonly #reader: FootageReader;
  /** One frame is decoded at a time: each begins at a key frame, and the run needs the processor. */
  readonly #turn = oneAtATime();
  readonly #thumbnails = new Map<number, Promise<string>>();
  readonly #life = new AbortController();

  constructor(reader: FootageReader) {
    this.#reader = reader;
  }

  /** A frame as it is shown; null: it cannot be read any more. The receiver closes it. */
  at({ index, timeMs }: FootagePlace): Promise<ImageBitmap | null> {
    return this.#turn(async () => {
      const image = await this.#reader.frameAt({ index, timeMs }, this.#life.signal);
      return image && bitmapOf(image);
    });
  }

  /** A small JPEG as data: URL; '': it cannot be read any more. */
  thumbnail(place: FootagePlace): Promise<string> {
    const known = this.#thumbnails.get(place.index);
    if (known) return known;
    const made = this.at(place).then((picture) => (picture ? smallCopy(picture) : ''));
    made.catch(() => this.#thumbnails.delete(place.index));
    this.#thumbnails.set(place.index, made);
    const [oldest] = this.#thumbnails.keys();
    if (this.#thumbnails.size > mostThumbnails) this.#thumbnails.delete(oldest!);
    return made;
  }

  close(): void {
    this.#life.abort();
  }
}

/** Takes the image over. A picture is shown as it is stored, as the machine sees it; a video turned as its file says. */
export async function bitmapOf(image: ReadFootageFrame['image']): Promise<ImageBitmap> {
  if (image instanceof Blob) return createImageBitmap(await asStored(image));
  try {
    // createImageBitmap of a turned frame has the size that it had before it was turned (Chromium 156).
    const [width, height] =
      image instanceof VideoFrame ? [image.displayWidth, image.displayHeight] : [image.width, image.height];
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d', { alpha: false })!.drawImage(image, 0, 0, width, height);
    return canvas.transferToImageBitmap();
  } finally {
    image.close();
  }
}
