import {
  greyCopy,
  measuredSize,
  pictureHash,
  type PictureScan,
  pictureStatistics,
  type RgbaPixels,
} from '../../../src/evidence/datasets/face/health.ts';
import { readImageHeader } from '../../../src/evidence/datasets/face/image-size.ts';
import { IdbPictureScans } from '../../../src/platform/browser/indexed-db/idb-picture-scans.ts';
import type { PictureToScan } from '../protocol.ts';

/** Scans pictures. Scans of earlier visits are read from storage. */
export class PictureScans {
  readonly #kept = new IdbPictureScans();

  /** The scans that are stored already, by id. */
  known(ids: readonly string[]): Promise<ReadonlyMap<string, PictureScan>> {
    return this.#kept.known(ids);
  }

  async scan(pictures: readonly PictureToScan[]): Promise<readonly PictureScan[]> {
    const scans: PictureScan[] = [];
    for (const picture of pictures) scans.push(await this.#scanOne(picture));
    await this.#kept.keep(scans);
    return scans;
  }

  async #scanOne({ id, bytes, mimeType }: PictureToScan): Promise<PictureScan> {
    const header = readImageHeader(bytes);
    const seen = await this.#look(new Blob([bytes], { type: mimeType })).catch(() => ({
      hash: null,
      statistics: null,
    }));
    return { id, ...seen, sizePx: header?.sizePx ?? null, orientation: header?.orientation ?? 1 };
  }

  /** @throws DOMException if the picture cannot be decoded */
  async #look(image: Blob): Promise<Pick<PictureScan, 'hash' | 'statistics'>> {
    const bitmap = await createImageBitmap(image);
    try {
      const { width, height } = bitmap;
      const whole = pixelsOf(new OffscreenCanvas(width, height), bitmap);
      const statistics = pictureStatistics(greyCopy(whole, measuredSize(whole)));
      return { hash: pictureHash(whole), statistics };
    } finally {
      bitmap.close();
    }
  }
}

function pixelsOf(canvas: OffscreenCanvas, bitmap: ImageBitmap): RgbaPixels {
  const { width, height } = canvas;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.fillRect(0, 0, width, height); // what lies behind transparency
  context.drawImage(bitmap, 0, 0);
  return { widthPx: width, heightPx: height, samples: context.getImageData(0, 0, width, height).data };
}
