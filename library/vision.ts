// What the machine does to a frame, as functions: the package's `sightglass/vision`. docs/library.md shows their use.

export type { Frame, EightBitFrame, SixteenBitFrame, FrameSize } from '../src/machine/vision/frame/frame.ts';
export { decodeJpeg } from '../src/machine/vision/jpeg/decode-jpeg.ts';
export { JpegError } from '../src/machine/vision/jpeg/jpeg-error.ts';
export { decodePng } from '../src/machine/vision/png/decode-png.ts';
export { PngError } from '../src/machine/vision/png/png-error.ts';

export { cameraChain, type CameraChain, type ChainStep } from '../src/machine/vision/camera-chain.ts';
export { MachineError } from '../src/machine/vision/machine-error.ts';
export { applyPixelStep, isPixelStep, sizeAfter, type PixelStep } from '../src/machine/vision/transforms/pixel-step.ts';

export { inputSpec, type InputAttributes, type InputSpec } from '../src/machine/vision/preprocess/input-spec.ts';
export { preprocess } from '../src/machine/vision/preprocess/preprocess.ts';
export type { Tensor, TensorInfo } from '../src/machine/vision/tensor/tensor.ts';

export { decodeClassifications } from '../src/machine/vision/decode/decode-classifications.ts';
export { DecodeError } from '../src/machine/vision/decode/decode-error.ts';
export { decodeDetections, type DetectionDecoding } from '../src/machine/vision/decode/decode-detections.ts';
export { labelTable, parseLabels, type LabelTable } from '../src/machine/vision/decode/labels.ts';
export { nameClassificationTensor, nameDetectionTensors } from '../src/machine/vision/decode/tensor-names.ts';
export type { DetectionTensorNames, TensorChoice } from '../src/machine/vision/decode/tensor-choice.ts';
export type {
  Classification,
  Detection,
  RawClassifications,
  RawDetections,
} from '../src/machine/vision/results/detections.ts';

export {
  detectionsAt,
  dropText,
  type Drop,
  type FilteredRows,
} from '../src/machine/vision/filter/filter-detections.ts';
export { serviceFilter, type ServiceFilter } from '../src/machine/vision/filter/service-filter.ts';
export { serviceThresholds, type ServiceFilterRule } from '../src/machine/vision/filter/thresholds.ts';
