import { asStored } from '../../../kit/picture/stored-picture.ts';
import { whyUndrawn } from '../../../../machine/vision/face/image-kinds.ts';

/** A picture as it was stored: pixels as the machine reads them, not turned by EXIF. */
export interface CachedPicture {
  readonly blob: Blob;
  readonly bitmap: ImageBitmap;
  readonly name: string;
}

export type FetchPicture = (id: string, signal: AbortSignal) => Promise<{ readonly blob: Blob; readonly name: string }>;

/** A stored file that cannot be shown as a picture; the message says why. */
export class UndrawnPictureError extends Error {
  override readonly name = 'UndrawnPictureError';
  /** name of the file */
  readonly fileName: string;
  constructor(fileName: string, reason: string, options: ErrorOptions) {
    super(reason, options);
    this.fileName = fileName;
  }
}

/** Decodes an image as the vision worker does. @throws UndrawnPictureError if the browser cannot decode it */
async function decodePicture(blob: Blob, fileName: string): Promise<ImageBitmap> {
  const stored = await asStored(blob);
  try {
    return await createImageBitmap(stored, { colorSpaceConversion: 'none' });
  } catch (cause) {
    throw new UndrawnPictureError(fileName, whyUndrawn(new Uint8Array(await blob.arrayBuffer())), { cause });
  }
}

/** The pictures that are shown now or next. It owns their bitmaps and closes them. */
export class PictureCache {
  readonly #fetch: FetchPicture;
  readonly #pictures = new Map<string, { readonly picture: Promise<CachedPicture>; readonly abort: AbortController }>();

  constructor(fetch: FetchPicture) {
    this.#fetch = fetch;
  }

  /** A failure is not cached: the next call tries again. */
  get(id: string): Promise<CachedPicture> {
    const known = this.#pictures.get(id);
    if (known) return known.picture;
    const abort = new AbortController();
    const picture = this.#open(id, abort.signal);
    this.#pictures.set(id, { picture, abort });
    picture.catch(() => this.#pictures.get(id)?.picture === picture && this.#pictures.delete(id));
    return picture;
  }

  async #open(id: string, signal: AbortSignal): Promise<CachedPicture> {
    const { blob, name } = await this.#fetch(id, signal);
    return { blob, name, bitmap: await decodePicture(blob, name) };
  }

  /** Keeps these pictures and closes all others. */
  keep(ids: readonly string[]): void {
    for (const [id, { picture, abort }] of this.#pictures) {
      if (ids.includes(id)) continue;
      this.#pictures.delete(id);
      abort.abort();
      void picture.then(
        ({ bitmap }) => bitmap.close(),
        () => undefined,
      );
    }
  }
}
