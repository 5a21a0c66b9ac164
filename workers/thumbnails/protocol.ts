/** A thumbnail as a data: URL, or the reason why there is none. */
export type DrawnPicture = string | { readonly reason: string };

/** A stored picture to draw as a thumbnail. */
export interface PictureBytes {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}
