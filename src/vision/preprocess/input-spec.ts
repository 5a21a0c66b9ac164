/** How one frame becomes the model's input tensor, decided once a model from its declaration and the service's attributes. */
export interface InputSpec {
  /** name that the tensor is fed under */
  readonly tensorName: string;
  readonly dtype: 'uint8' | 'float32';
  readonly layout: 'nchw' | 'nhwc';
  /** null = dynamic: the frame's own size on that axis */
  readonly widthPx: number | null;
  readonly heightPx: number | null;
  readonly bgr: boolean;
  /** by output channel: in BGR order, mean[0] belongs to blue; float32 input only */
  readonly mean: readonly [number, number, number];
  readonly stdDev: readonly [number, number, number];
}
