// Tensors, and how a frame becomes one.

export { isChannelsFirst } from '../preprocess/channels-first.ts';
export { inputSpec, type InputSpec } from '../preprocess/input-spec.ts';
export {
  hasBorder,
  type LetterboxRounding,
  letterboxWindow,
  type LetterboxWindow,
} from '../preprocess/letterbox-window.ts';
export {
  asBytes,
  asBytesLessMean,
  asImageNet,
  asSigned,
  asUnits,
  type Normalization,
} from '../preprocess/normalizations.ts';
export { normalizedBytes, packTensor, tensorShape } from '../preprocess/pack-tensor.ts';
export { preprocess, referenceStretchKernel } from '../preprocess/preprocess.ts';
export type { StretchKernel } from '../preprocess/stretch-kernel.ts';
export { stretch } from '../preprocess/stretch.ts';
export { triangleFilter } from '../preprocess/triangle-filter.ts';
export { float16BitsToNumber, numberToFloat16Bits } from '../tensor/float16.ts';
export { shapeText, tensorToFloat64 } from '../tensor/tensor-values.ts';
export {
  type Quantization,
  type Tensor,
  tensorArrays,
  type TensorData,
  type TensorDtype,
  type TensorInfo,
} from '../tensor/tensor.ts';
