/** A stored picture, to be drawn small. */
export interface PictureBytes {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}
