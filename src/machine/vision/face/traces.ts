// What is shown of each step, and drawn over a frame.

export type { TextFace } from '../overlay/font/text-face.ts';
export { overlayFace } from '../overlay/overlay-face.ts';
export { detectionsOnSource, regionOnSource } from '../trace/detections-on-source.ts';
export {
  type PictureSize,
  type Point,
  type TracedBox,
  type TracedStage,
  tracePoint,
  traceToSource,
} from '../trace/trace.ts';
export { uprightOnSource } from '../trace/upright-on-source.ts';
