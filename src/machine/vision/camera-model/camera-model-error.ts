export type CameraModelErrorCode =
  | 'negative-size' // intrinsics: width_px or height_px below 0
  | 'no-size' // preview: width_px or height_px is 0 or missing
  | 'focal-length' // preview: fx or fy is not above 0
  | 'principal-point' // preview: ppx or ppy below 0
  | 'size-mismatch'; // preview: the frame is not of the size that the intrinsics are for

/** Camera parameters that cannot be right, or do not fit the frame. */
export class CameraModelError extends Error {
  override readonly name = 'CameraModelError';
  readonly code: CameraModelErrorCode;
  constructor(code: CameraModelErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
