import { expect, it } from 'vitest';
import { tfliteCpuFindings, type TfliteFacts } from './tflite-cpu.ts';

const value = (name: string, type: string, ...shape: number[]) => ({ name, type, shape });
const builtin = (name: string, version = 1) => ({ name, isCustom: false, version });
const custom = (name: string) => ({ name, isCustom: true, version: 1 });

const sound: TfliteFacts = {
  inputs: [value('image', 'uint8', 1, 300, 300, 3)],
  outputs: [value('boxes', 'float32', 1, 10, 4)],
  operators: [builtin('CONV_2D', 5), custom('TFLite_Detection_PostProcess')],
  hybridConvolutions: 0,
};

it.each<[string, Partial<TfliteFacts>, string[]]>([
  ['a sound model', {}, []],
  ['an operator that came later', { operators: [builtin('STABLEHLO_COMPOSITE')] }, ['refuses operator']],
  ['an operator by its number', { operators: [builtin('operator 999')] }, ['refuses operator']],
  ['the newest version of an operator', { operators: [builtin('FULLY_CONNECTED', 11)] }, []],
  ['a newer version of an operator', { operators: [builtin('FULLY_CONNECTED', 12)] }, ['refuses operator']],
  ['an operator that 2.15.0 got last', { operators: [builtin('DILATE')] }, []],
  ['operators of TensorFlow', { operators: [custom('FlexErf')] }, ['refuses custom-operator']],
  ['a custom operator', { operators: [custom('MyNms')] }, ['refuses custom-operator']],
  ['no input', { inputs: [] }, ['fails-at-first-frame no-input']],
  ['a float32 input', { inputs: [value('image', 'float32', 1, 300, 300, 3)] }, []],
  ['an int8 input', { inputs: [value('image', 'int8', 1, 300, 300, 3)] }, ['fails-at-first-frame input-dtype']],
  ['a float16 input', { inputs: [value('image', 'float16', 1, 300, 300, 3)] }, ['refuses tensor-type']],
  ['a bool output', { outputs: [value('found', 'bool', 1)] }, ['refuses tensor-type']],
  ['a string output', { outputs: [value('names', 'string', 1)] }, ['refuses tensor-type']],
  ['int64 classes beside float32 scores', { outputs: [value('c', 'int64', 1), value('s', 'float32', 1)] }, []],
  [
    'a second input',
    { inputs: [...sound.inputs, value('sizes', 'int64', 1, 2)] },
    ['fails-at-first-frame second-input'],
  ],
  ['a vector', { inputs: [value('x', 'float32', 1, 10)] }, ['fails-at-first-frame input-shape']],
  ['a batch of 4', { inputs: [value('x', 'float32', 4, 8, 8, 3)] }, ['fails-at-first-frame input-batch']],
  ['channels first', { inputs: [value('x', 'float32', 1, 3, 8, 8)] }, []],
  ['open sizes', { inputs: [value('x', 'float32', 1, 1, 1, 3)] }, ['warns open-size']],
  ['uint8 scores', { outputs: [value('s', 'uint8', 1, 1001)] }, ['warns output-quantised']],
  ['convolutions of dynamic range', { hybridConvolutions: 52 }, ['warns arithmetic']],
])('%s', (_, part, findings) => {
  expect(tfliteCpuFindings({ ...sound, ...part }).map(({ severity, code }) => `${severity} ${code}`)).toEqual(findings);
});

it('says which of TensorFlow’s own operators are the trouble, and the option that leaves them out', () => {
  const [finding] = tfliteCpuFindings({ ...sound, operators: [custom('FlexErf')] });
  expect(finding).toMatchObject({
    message: expect.stringContaining('"Encountered unresolved custom op: FlexErf"'),
    cure: 'Convert it without tf.lite.OpsSet.SELECT_TF_OPS.',
  });
});
