/** Types of inputs and outputs that the module knows: it does not start with others. */
export const moduleTensorTypes: readonly string[] =
  'int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64'.split(' ');

/** The one custom operator that TensorFlow Lite's own builds have: decoding and suppression of SSD detectors. */
export const detectionPostprocess = 'TFLite_Detection_PostProcess';

interface Operator {
  readonly name: string;
  readonly isCustom: boolean;
}

/** The operators of a file that the module's resolver does not bring. */
export function foreignOperators<Of extends Operator>(operators: readonly Of[]): readonly Of[] {
  return operators.filter(({ name, isCustom }) => isCustom && name !== detectionPostprocess);
}

/** How to convert a model so that it has none of them. */
export function conversionWithout(foreign: readonly Operator[]): string {
  const isFlex = foreign.some(({ name }) => name.startsWith('Flex'));
  return `Convert it ${isFlex ? 'without tf.lite.OpsSet.SELECT_TF_OPS' : 'with allow_custom_ops=False'}.`;
}
