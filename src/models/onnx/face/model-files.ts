// Model files read, edited, written.

export { checkModel } from '../check-model.ts';
export { dtypeOf, onnxType } from '../dtypes.ts';
export {
  type AttributeValue,
  decodeModel,
  GraphBuilder,
  type GraphWriter,
  type NodeAttributes,
  renameTensor,
  tensorProto,
} from '../edit-model.ts';
export { encodeModel } from '../encode-model.ts';
export { embedExternalData } from '../external-data.ts';
export { type OnnxSummary, readLoadFacts, readModel } from '../read-model.ts';
export { setMetadata } from '../set-metadata.ts';
