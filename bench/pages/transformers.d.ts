// The part of @huggingface/transformers that is measured. It is installed in bench/peers only, out of the compiler's sight.
declare module '@huggingface/transformers' {
  export class RawImage {
    static fromCanvas(canvas: OffscreenCanvas): RawImage;
  }
  export const ImageProcessor: new (
    config: Record<string, unknown>,
  ) => (images: readonly RawImage[]) => Promise<{ pixel_values: { data: ArrayLike<number> } }>;
}
