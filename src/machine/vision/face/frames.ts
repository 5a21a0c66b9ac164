// Frames: pixels, planes, formats.

export { amplification, blockPx, compareFrames, type FrameDifference } from '../frame/compare-frames.ts';
export { type Rgba8Frame, toRgba8, toStraightRgba8 } from '../frame/frame-formats.ts';
export type { FrameInfo } from '../frame/frame-info.ts';
export type { EightBitFrame, Frame, FrameSize } from '../frame/frame.ts';
export { patternFrame } from '../frame/pattern-frame.ts';
export { colourCardSidePx, yuvColourCard } from '../yuv/colour-card.ts';
export { shrinkToRgba } from '../yuv/shrink-yuv.ts';
export {
  type ConvertYuv,
  isYuvFrame,
  type PlanesMemory,
  type ReadFrame,
  type ShrinkYuv,
  yuvFrame,
  type YuvFrame,
  yuvLayout,
  type YuvPlanes,
} from '../yuv/yuv-frame.ts';
export { type ColourSpace, yuvMatrices, type YuvMatrix } from '../yuv/yuv-matrix.ts';
export { glanceAt, pixelsByReference, yuvToRgba } from '../yuv/yuv-to-rgba.ts';
