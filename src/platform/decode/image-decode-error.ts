export type ImageDecodeErrorCode =
  | 'not-an-image' // the bytes start like no image that is known here
  | 'unsupported-format' // an image, of a kind that cannot be read exactly
  | 'damaged' // starts like an image and does not go on as one
  | 'too-large';

/** Says why a frame's bytes became no pixels. */
export class ImageDecodeError extends Error {
  override readonly name = 'ImageDecodeError';
  readonly code: ImageDecodeErrorCode;
  constructor(code: ImageDecodeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** 64 megapixels are 256 MB as RGBA: above every machine camera, below what a browser tab survives. */
const maxFramePixels = 64_000_000;

/** @throws ImageDecodeError 'too-large', and 'damaged' for a size of 0 */
export function checkFrameSize(widthPx: number, heightPx: number): void {
  if (widthPx < 1 || heightPx < 1) {
    throw new ImageDecodeError('damaged', `The image says that it is ${widthPx}×${heightPx} pixels.`);
  }
  if (widthPx * heightPx > maxFramePixels) {
    throw new ImageDecodeError(
      'too-large',
      `The image is ${widthPx}×${heightPx} pixels, above the limit of ${maxFramePixels / 1e6} megapixels. Scale it down first.`,
    );
  }
}
