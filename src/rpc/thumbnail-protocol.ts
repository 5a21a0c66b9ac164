/** What the page asks of the thumbnail worker. Answers bear the number of their question. */
export type ThumbnailQuestion =
  | { readonly kind: 'find'; readonly number: number; readonly ids: readonly string[] }
  | { readonly kind: 'draw'; readonly number: number; readonly id: string; readonly image: Blob };

export type ThumbnailAnswer =
  | { readonly kind: 'found'; readonly number: number; readonly thumbnails: ReadonlyMap<string, Blob> }
  /** null: this browser cannot decode it */
  | { readonly kind: 'drawn'; readonly number: number; readonly thumbnail: Blob | null };
