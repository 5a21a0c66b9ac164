import type { TransformStep } from '../../config/machine-config.ts';
import { assertNever } from '../assert-never.ts';
import type { Frame, FrameSize } from '../frame.ts';
import { crop, visibleWindow } from './crop.ts';
import { checkResize, resizeNearest } from './resize.ts';
import { rotate, rotatedFrameSize } from './rotate.ts';

/** A step that only moves, scales and blends the pixels of one frame: the GPU knows it too. A crop is one unless it draws its window. */
export type PixelStep =
  | Extract<TransformStep, { type: '' | 'resize' | 'rotate' }>
  | { readonly type: 'crop'; readonly attributes: CuttingCrop };

type CuttingCrop = Extract<TransformStep, { type: 'crop' }>['attributes'] & { readonly overlayCropBox: false };

export function isPixelStep(step: TransformStep): step is PixelStep {
  switch (step.type) {
    case '':
    case 'resize':
    case 'rotate':
      return true;
    case 'crop':
      return !step.attributes.overlayCropBox;
    case 'detections':
    case 'classifications':
      return false;
    default:
      return assertNever(step);
  }
}

/** The step in the reference's arithmetic. @throws TransformError */
export function applyPixelStep(frame: Frame, step: PixelStep): Frame {
  switch (step.type) {
    case '':
      return frame;
    case 'crop':
      return crop(frame, step.attributes);
    case 'resize':
      return resizeNearest(frame, step.attributes);
    case 'rotate':
      return rotate(frame, step.attributes);
    default:
      return assertNever(step);
  }
}

/** The size of a frame of this size after the step. @throws TransformError as the step */
export function sizeAfter({ widthPx, heightPx }: FrameSize, step: PixelStep): FrameSize {
  switch (step.type) {
    case '':
      return { widthPx, heightPx };
    case 'crop': {
      const { xMin, yMin, xMax, yMax } = visibleWindow(step.attributes, widthPx, heightPx);
      return { widthPx: xMax - xMin, heightPx: yMax - yMin };
    }
    case 'resize':
      checkResize(step.attributes);
      return { widthPx: step.attributes.widthPx, heightPx: step.attributes.heightPx };
    case 'rotate':
      return rotatedFrameSize({ widthPx, heightPx }, step.attributes);
    default:
      return assertNever(step);
  }
}
