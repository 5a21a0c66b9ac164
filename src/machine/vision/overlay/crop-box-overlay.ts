import type { CropAttributes } from '../../config/face/cameras.ts';
import { cropWindow } from '../transforms/crop.ts';
import { detectionOverlay } from './detection-overlay.ts';
import type { FrameSize } from '../frame/frame.ts';
import type { DisplayList } from './display-list.ts';

/**
 * The crop window as the machine shows it under `overlay_crop_box`: a detection named "crop" of score 1 on the whole frame.
 * @throws TransformError as checkCrop, and box-outside-frame: a drawn window is not cut off at the edges
 */
export function cropBoxOverlay(attributes: CropAttributes, frameSize: FrameSize): DisplayList {
  const window = cropWindow(attributes, frameSize.widthPx, frameSize.heightPx);
  return detectionOverlay([{ label: 'crop', score: 1, ...window }], frameSize);
}
