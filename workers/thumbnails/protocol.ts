/** A small picture as a data: URL, or why there is none. */
export type DrawnPicture = string | { readonly reason: string };

/** A stored picture, to be drawn small. */
export interface PictureBytes {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}
