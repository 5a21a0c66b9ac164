// The part of @huggingface/transformers that is measured. It is installed in bench/peers only, where the compiler cannot find it.
declare module '@huggingface/transformers' {
  export class RawImage {
    static fromCanvas(canvas: OffscreenCanvas): RawImage;
  }
  export const ImageProcessor: new (
    config: Record<string, unknown>,
  ) => (images: readonly RawImage[]) => Promise<{ pixel_values: { data: ArrayLike<number> } }>;
}
