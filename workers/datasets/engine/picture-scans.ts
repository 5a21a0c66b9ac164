import { differenceHash } from '../../../src/datasets/health/difference-hash.ts';
import { greyCopy, type RgbaPixels } from '../../../src/datasets/health/grey-copy.ts';
import { measuredSize, pictureStatistics } from '../../../src/datasets/health/picture-statistics.ts';
import { readImageHeader } from '../../../src/datasets/image-size/read-image-size.ts';
import type { PictureScan } from '../../../src/datasets/health/picture-scan.ts';
import { IdbPictureScans } from '../../../src/platform/browser/indexed-db/idb-picture-scans.ts';
import type { PictureToScan } from '../protocol.ts';

/** Four samples for each cell of the hash, so that noise averages out. */
const widthPx = 36;
const heightPx = 32;

/** Scans pictures. Scans of earlier visits are read from storage. */
export class PictureScans {
  readonly #kept = new IdbPictureScans();
  readonly #canvas = new OffscreenCanvas(widthPx, heightPx);

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
      const resize = { resizeWidth: widthPx, resizeHeight: heightPx, resizeQuality: 'medium' } as const;
      const small = await createImageBitmap(bitmap, resize);
      const pixels = pixelsOf(this.#canvas, small);
      small.close();
      return { hash: differenceHash(greyCopy(pixels, pixels)), statistics };
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
