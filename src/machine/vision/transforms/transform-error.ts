export type TransformErrorCode =
  | 'negative-window' // crop: x_min_px or y_min_px below 0
  | 'zero-width' // crop: x_min_px not below x_max_px
  | 'zero-height' // crop: y_min_px not below y_max_px
  | 'empty-window' // crop: no pixel of the window lies in this frame
  | 'zero-size' // resize: width_px or height_px is 0 or missing
  | 'negative-size' // resize: width_px or height_px below 0
  | 'depth-picture' // the machine does not do this with 16-bit gray
  | 'box-outside-frame'; // drawing: a box does not fit in the frame

/** A transform step that cannot be applied: by its attributes alone, or to this frame. */
export class TransformError extends Error {
  override readonly name = 'TransformError';
  readonly code: TransformErrorCode;
  constructor(code: TransformErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
