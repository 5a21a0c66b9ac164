import { expect, it } from 'vitest';
import { judgeModule, type JudgedFile } from './judge-module.ts';
import { moduleFor, onnxCpu, tfliteCpu } from './known-modules.ts';
import { verdictOf, reasonsAgainst, type ModuleFinding } from './module-finding.ts';

const finding = (severity: ModuleFinding['severity'], code = 'some'): ModuleFinding => ({
  code,
  severity,
  message: 'm',
  cure: 'c',
});
const onnxFile: JudgedFile = { format: 'onnx', findings: [finding('warns', 'of the file')] };
const codes = (module: string, file: JudgedFile | null) =>
  judgeModule(module, { model_path: 'm.onnx' }, file).map(({ severity, code }) => `${severity} ${code}`);

it('takes what its module says of a file, other formats for refused, and other modules for unknown', () => {
  expect(codes(onnxCpu, onnxFile)).toEqual(['warns of the file']);
  expect(codes(onnxCpu, { ...onnxFile, format: 'tflite' })).toEqual(['refuses other-format']);
  expect(codes(tfliteCpu, onnxFile)).toEqual(['refuses other-format']);
  expect(codes('viam:mlmodel-triton:triton', onnxFile)).toEqual(['cannot-tell unknown-module']);
  expect(codes('acme:mlmodel:own', null)).toEqual([]);
});

it('says how another format is cured', () => {
  expect(judgeModule(onnxCpu, { model_path: 'm.onnx' }, { ...onnxFile, format: 'tflite' })[0]!.cure).toBe(
    'Give it a file of ONNX, or take the module for TensorFlow Lite.',
  );
});

it.each([
  ['viam:mlmodel-triton:triton', 'NVIDIA'],
  ['viam:mlmodel:torch-cpu', 'PyTorch'],
  ['viam:mlmodel:tensorflow-cpu', 'TensorFlow'],
  ['viam-soleng:mlmodel:hailo', 'its accelerator'],
  ['acme:mlmodel:own', 'is not known here'],
])('says what is known of %s', (module, words) => {
  expect(judgeModule(module, {}, onnxFile)[0]?.message).toContain(words);
});

it('names the module for each format', () => {
  expect([moduleFor('onnx'), moduleFor('tflite')]).toEqual(['viam:mlmodel:onnx-cpu', 'viam:mlmodel-tflite:tflite_cpu']);
});

it.each([
  [[], 'loads', 0],
  [['warns'], 'loads', 0],
  [['warns', 'cannot-tell'], 'cannot-tell', 0],
  [['cannot-tell', 'fails-at-first-frame'], 'fails-at-first-frame', 1],
  [['fails-at-first-frame', 'warns', 'refuses'], 'refuses', 2],
] as const)('of %j the verdict is %s, for %i reasons', (severities, verdict, count) => {
  const findings = severities.map((severity) => finding(severity));
  expect(verdictOf(findings)).toBe(verdict);
  expect(reasonsAgainst(findings)).toHaveLength(count);
});
