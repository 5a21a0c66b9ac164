// Tensors decoded into detections and classes.

export { type BoxOrder, machineBoxOrder } from '../decode/box-order.ts';
export { decodeClassifications } from '../decode/decode-classifications.ts';
export { countsFromOne } from '../decode/decode-detections.ts';
export { isPlaceholder, labelFileText, parseLabels, splitLabelFile, type SplitLabels } from '../decode/labels.ts';
export type { Outputs } from '../decode/outputs.ts';
export { mostClasses, surestClasses } from '../decode/surest-classes.ts';
export { nameClassificationTensor, nameDetectionTensors, type Remap } from '../decode/tensor-names.ts';
export { decodeDetails, type DetectionDetails } from '../details/decode-details.ts';
export { type DetailKind, detailKindOf, detailNames } from '../details/detail-names.ts';
export type { Classification, Detection, RawClassifications, RawDetections } from '../results/detections.ts';
export type { NormalizedBox } from '../results/normalized-box.ts';
export type { Inference, RawResults, RunResult, Stage } from '../run-result.ts';
