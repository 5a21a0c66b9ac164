import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LoadFacts } from '../../onnx/load-facts.ts';
import { readLoadFacts } from '../../onnx/read-model.ts';
import { verdictOf } from './module-finding.ts';
import { onnxCpuFindings } from './onnx-cpu.ts';

const value = (name: string, dtype: string, shape: readonly number[] = [1, 3, 8, 8]) =>
  ({ name, kind: 'tensor', dtype, shape }) as const;
const sound: LoadFacts = {
  irVersion: 8,
  opsets: { '': 17 },
  functionOpsets: {},
  inputs: [value('image', 'float32')],
  outputs: [value('location', 'float32'), value('score', 'float32')],
  operators: [{ domain: '', name: 'Conv' }],
  functions: [],
  functionsWithoutOpset: [],
  signedConvolutions: 0,
  roundedConvolutions: 0,
  refusedGrids: { modes: [], mixed: 0 },
  externalFiles: [],
};

// Which models load is the matter of the golden test; this is about the words.
it.each<[string, Partial<LoadFacts>, string]>([
  ['IR version', { irVersion: 12 }, '"Unsupported model IR version: 12, max supported IR version: 11"'],
  ['opset', { opsets: { '': 25 } }, '"Current official support for domain ai.onnx is till opset 23"'],
  ['operator', { operators: [{ domain: '', name: 'Upsample' }] }, 'Upsample of opset 17 (it has that of opset 7 to 9)'],
  ['int8 weights', { signedConvolutions: 3 }, '3 ConvInteger with int8 weights: "Could not find an implementation for'],
  [
    'newer mode',
    { refusedGrids: { modes: ['linear'], mixed: 0 } },
    'opset 17, and GridSample has a mode of a newer one: "mode "linear" not supported, expect bilinear',
  ],
  [
    'older mode',
    { refusedGrids: { modes: ['bicubic'], mixed: 0 }, opsets: { '': 20 } },
    'opset 20, and GridSample has a mode of an older one: "mode "bicubic" not supported, expect linear',
  ],
  ['places of another type', { refusedGrids: { modes: [], mixed: 6 } }, '6 GridSample have float64 places beside'],
  ['custom operator', { operators: [{ domain: 'of.mine', name: 'Nms' }] }, '"of.mine:Nms(-1) is not a registered'],
  [
    'input',
    { inputs: [value('image', 'float16')] },
    '"currently only supporting input tensors of type uint8 or float32',
  ],
  ['two inputs', { inputs: [value('image', 'float32'), value('size', 'int64')] }, '"all input tensors must be of the'],
  [
    'outputs',
    { outputs: [value('s', 'float32'), value('c', 'int64')] },
    '"all output tensors must be of the same data',
  ],
  ['labels first', { outputs: [value('c', 'int64'), value('s', 'float32')] }, '"currently only supporting output tens'],
  ['whole numbers', { outputs: [value('c', 'int64')] }, '"currently only supporting output tensors of type uint8'],
  [
    'the slip',
    { inputs: [value('image', 'uint8')], outputs: [value('c', 'int64')] },
    '"output tensor type … not implemented"',
  ],
])('quotes the machine: %s', (_, part, words) => {
  expect(onnxCpuFindings({ ...sound, ...part })[0]?.message).toContain(words);
});

it('says what a machine-ready export mends, and nothing where it mends nothing', () => {
  const facts = { ...sound, inputs: [value('image', 'float32'), value('size', 'float32')], irVersion: 12 };
  expect(onnxCpuFindings(facts).map(({ code, repair }) => [code, repair])).toEqual([
    ['ir-version', 'writes the oldest IR version that its operators allow'],
    ['second-input', 'writes the inputs after the first into the model, as constants'],
  ]);
  const custom = { ...sound, operators: [{ domain: 'of.mine', name: 'Nms' }] };
  expect(onnxCpuFindings(custom)[0]).not.toHaveProperty('repair');
});

it('warns of scores that differ where quantised convolutions are rounded differently', () => {
  const [finding] = onnxCpuFindings({ ...sound, roundedConvolutions: 1 });
  expect(finding).toMatchObject({
    code: 'arithmetic',
    severity: 'warns',
    message: expect.stringContaining('the machine rounds one of its convolutions differently from the bench'),
  });
});

it('warns of files beside the model, and refuses it where they are known to be missing', () => {
  const facts = { ...sound, externalFiles: ['a.data', 'b.data'] };
  const verdicts = [null, ['a.data', 'b.data'], ['b.data']].map((files) => verdictOf(onnxCpuFindings(facts, files)));
  expect(verdicts).toEqual(['loads', 'loads', 'refuses']);
  expect(onnxCpuFindings(facts, ['b.data'])[0]?.message).toContain('in "a.data"');
});

const models = new URL('../../../../../shared/data/models/', import.meta.url);

describe.skipIf(!existsSync(models))('onnx-cpu on published models (skipped without ../shared/data)', () => {
  it.each([
    ['yolox_nano_416', 'loads', []],
    ['nanodet_m_320', 'loads', []],
    ['FastestDet_ortx', 'loads', []],
    ['ultraface_RFB-320', 'loads', []],
    ['SqueezeNet_fp16_winml', 'refuses', ['input-dtype', 'output-dtype']],
    ['deimv2_hgnetv2_atto_coco', 'refuses', ['inputs-mixed', 'second-input', 'outputs-mixed']],
  ])('%s %s', (name, verdict, codes) => {
    const findings = onnxCpuFindings(readLoadFacts(readFileSync(new URL(`${name}.onnx`, models))));
    expect([verdictOf(findings), findings.map(({ code }) => code)]).toEqual([verdict, codes]);
  });
});
