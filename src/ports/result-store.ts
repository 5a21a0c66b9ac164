import type { RawImage } from './raw-image.ts';

// Port of the page to the raw results of evaluations. Implemented in platform/browser, handed over by main.ts.

/**
 * Raw results by model and image, so that neither a threshold nor another visit runs a model again. They can all be
 * made again: a store that fails loses nothing, and finds nothing.
 */
export interface ResultStore {
  /** @param key of the `ReadyModel` that made them */
  find(key: string, imageIds: readonly string[]): Promise<ReadonlyMap<string, RawImage>>;
  /** Resolves to false where it could not be kept, as on a full disk. */
  put(key: string, imageId: string, result: RawImage): Promise<boolean>;
}
