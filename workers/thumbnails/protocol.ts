/** A stored picture, to be drawn small. */
export interface PictureBytes {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}

/** What the page asks of the thumbnail worker. Answers bear the number of their question; each picture's has its own. */
export type ThumbnailQuestion =
  | { readonly kind: 'find'; readonly number: number; readonly ids: readonly string[] }
  | { readonly kind: 'draw'; readonly pictures: readonly (PictureBytes & { readonly number: number })[] };

/** Small pictures are data: URLs. Unlike Blobs, they are shown without another process being asked for each. */
export type ThumbnailAnswer =
  | { readonly kind: 'found'; readonly number: number; readonly urls: ReadonlyMap<string, string> }
  /** null: this browser cannot decode it */
  | { readonly kind: 'drawn'; readonly number: number; readonly url: string | null };
