/** Types of inputs and outputs that the module knows: it does not start with others. */
export const moduleTensorTypes: readonly string[] =
  'int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64'.split(' ');

/** The one custom operator that TensorFlow Lite's own builds have: decoding and suppression of SSD detectors. */
export const detectionPostprocess = 'TFLite_Detection_PostProcess';

interface Operator {
  readonly name: string;
  readonly isCustom: boolean;
}

/**
 * Picks the operators that the machine's interpreter does not have.
 * @param operators of a TensorFlow Lite file
 * @returns its custom operators, except the detection postprocess that the machine has
 * @example
 * const operators = [{ name: 'CONV_2D', isCustom: false }, { name: 'FlexErf', isCustom: true }];
 * foreignOperators(operators); // => [{ name: 'FlexErf', isCustom: true }]
 */
export function foreignOperators<Of extends Operator>(operators: readonly Of[]): readonly Of[] {
  return operators.filter(({ name, isCustom }) => isCustom && name !== detectionPostprocess);
}

/** What `edgetpu_compiler` makes of a whole network: a program that nothing else runs. */
const edgeTpuProgram = 'edgetpu-custom-op';

/**
 * Says how to come to a model that has no such operators.
 * @param foreign of `foreignOperators`; at least one
 * @returns a sentence: the converter's option, or that another file is to be taken
 * @example
 * conversionWithout([{ name: 'FlexErf', isCustom: true }]); // => 'Convert it without tf.lite.OpsSet.SELECT_TF_OPS.'
 */
export function conversionWithout(foreign: readonly Operator[]): string {
  if (foreign.some(({ name }) => name === edgeTpuProgram))
    return 'It is compiled for an Edge TPU, which cannot be undone: take the file from before edgetpu_compiler.';
  const isFlex = foreign.some(({ name }) => name.startsWith('Flex'));
  return `Convert it ${isFlex ? 'without tf.lite.OpsSet.SELECT_TF_OPS' : 'with allow_custom_ops=False'}.`;
}
