import { differenceHash } from '../../../src/datasets/health/difference-hash.ts';
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
    const hash = await this.#hash(new Blob([bytes], { type: mimeType })).catch(() => null);
    return { id, hash, sizePx: header?.sizePx ?? null, orientation: header?.orientation ?? 1 };
  }

  /** @throws DOMException if the picture cannot be decoded */
  async #hash(image: Blob): Promise<bigint> {
    const resize = { resizeWidth: widthPx, resizeHeight: heightPx, resizeQuality: 'medium' } as const;
    const bitmap = await createImageBitmap(image, resize);
    const context = this.#canvas.getContext('2d', { willReadFrequently: true })!;
    context.fillRect(0, 0, widthPx, heightPx); // what lies behind transparency
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    const { data } = context.getImageData(0, 0, widthPx, heightPx);
    // Luma by ITU-R BT.601, as in JPEG.
    const luma = (at: number): number => 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
    const samples = Float32Array.from({ length: widthPx * heightPx }, (_, pixel) => luma(4 * pixel));
    return differenceHash({ widthPx, heightPx, samples });
  }
}
