import { openDB, type DBSchema } from 'idb';
import { differenceHash } from '../../../src/datasets/health/difference-hash.ts';
import { readImageHeader } from '../../../src/datasets/image-size/read-image-size.ts';
import type { PictureScan, PictureToScan } from '../protocol.ts';

/** As it was first called: what is stored there stays. */
interface Scans extends DBSchema {
  looks: { key: string; value: PictureScan };
}

/** Four samples a cell of the hash: what noise there is averages out. */
const widthPx = 36;
const heightPx = 32;

/**
 * What was seen in pictures, kept for the next visit: the bytes behind an id never change. Without storage they are
 * scanned again, which is nobody's loss.
 */
export class PictureScans {
  readonly #database = openDB<Scans>('sightglass-picture-looks', 1, {
    upgrade: (created) => void created.createObjectStore('looks', { keyPath: 'id' }),
  });
  readonly #canvas = new OffscreenCanvas(widthPx, heightPx);

  constructor() {
    this.#database.catch(() => undefined);
  }

  /** Those of the pictures that were scanned before. */
  async known(ids: readonly string[]): Promise<ReadonlyMap<string, PictureScan>> {
    try {
      const { store } = (await this.#database).transaction('looks');
      const found = await Promise.all(ids.map((id) => store.get(id)));
      return new Map(found.flatMap((scan) => (scan ? [[scan.id, scan]] : [])));
    } catch {
      return new Map();
    }
  }

  async scan(pictures: readonly PictureToScan[]): Promise<readonly PictureScan[]> {
    const scans: PictureScan[] = [];
    for (const picture of pictures) scans.push(await this.#scanOne(picture));
    try {
      const transaction = (await this.#database).transaction('looks', 'readwrite');
      for (const scan of scans) void transaction.store.put(scan);
      await transaction.done;
    } catch {
      // A full disk, or a window without storage.
    }
    return scans;
  }

  async #scanOne({ id, bytes, mimeType }: PictureToScan): Promise<PictureScan> {
    const header = readImageHeader(bytes);
    const hash = await this.#hash(new Blob([bytes], { type: mimeType })).catch(() => null);
    return { id, hash, sizePx: header?.sizePx ?? null, orientation: header?.orientation ?? 1 };
  }

  /** @throws DOMException where the picture cannot be decoded */
  async #hash(image: Blob): Promise<bigint> {
    const resize = { resizeWidth: widthPx, resizeHeight: heightPx, resizeQuality: 'medium' } as const;
    const bitmap = await createImageBitmap(image, resize);
    const context = this.#canvas.getContext('2d', { willReadFrequently: true })!;
    context.fillRect(0, 0, widthPx, heightPx); // what lies behind transparency
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    const { data } = context.getImageData(0, 0, widthPx, heightPx);
    // ITU-R BT.601, as JPEG weighs them.
    const luma = (at: number): number => 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
    const samples = Float32Array.from({ length: widthPx * heightPx }, (_, pixel) => luma(4 * pixel));
    return differenceHash({ widthPx, heightPx, samples });
  }
}
