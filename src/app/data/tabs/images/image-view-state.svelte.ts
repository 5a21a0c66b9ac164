import type { BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import { PictureCache, UndrawnPictureError, type CachedPicture } from '../../annotate/saving/picture-cache.ts';
import type { DataContext } from '../../context/data-context.ts';
import { openFailureWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import { contentOf } from '../../shared/items/content-of.ts';

/** The image in the viewer, with its metadata. Its neighbours in the list are fetched ahead. */
export class ImageViewState {
  readonly #context: DataContext;
  readonly #cache: PictureCache;
  metadata = $state.raw<BinaryMetadata | null>(null);
  picture = $state.raw<CachedPicture | null>(null);
  failure = $state.raw<ErrorWords | null>(null);
  /** why the stored file cannot be drawn; '' if it can, or is not read yet */
  undrawn: string = $state('');
  #id = '';

  constructor(context: DataContext) {
    this.#context = context;
    this.#cache = new PictureCache(async (id, signal) => ({ blob: await contentOf(context, id, signal), name: id }));
  }

  /** Shows an image. The previous one stays on the page until it is read. */
  async show(id: string, neighbours: readonly string[]): Promise<void> {
    this.#id = id;
    this.failure = null;
    this.undrawn = '';
    this.#cache.keep([id, ...neighbours, ...(this.picture ? [this.metadata?.binaryDataId ?? ''] : [])]);
    await Promise.all([this.refresh(id), this.#showPicture(id)]);
    if (this.#id !== id) return;
    this.#cache.keep([id, ...neighbours]);
    for (const neighbour of neighbours) this.#cache.get(neighbour).catch(() => undefined);
  }

  /** Reads the metadata again. */
  async refresh(id = this.#id): Promise<void> {
    try {
      const { data } = await this.#context.data.binaryDataByIDs({ binaryDataIds: [id], includeBinary: false });
      if (this.#id === id) this.metadata = data[0]?.metadata ?? null;
    } catch (error) {
      if (this.#id !== id) return;
      this.metadata = null;
      this.failure = openFailureWords(error);
    }
  }

  /** Shows nothing any more. */
  close(): void {
    this.#id = '';
    this.metadata = null;
    this.picture = null;
    this.failure = null;
    this.undrawn = '';
    this.#cache.keep([]);
  }

  async #showPicture(id: string): Promise<void> {
    try {
      const picture = await this.#cache.get(id);
      if (this.#id !== id) return;
      this.picture = picture;
      this.undrawn = '';
    } catch (error) {
      if (this.#id !== id) return;
      this.picture = null;
      this.undrawn = error instanceof UndrawnPictureError ? error.message : '';
      if (!this.undrawn) this.failure ??= openFailureWords(error);
    }
  }
}
