import { expect, it } from 'vitest';
import { formatFacts } from './format-facts.ts';

it('says an ONNX model’s operator sets by their domains', () => {
  expect(formatFacts({ name: 'onnx', irVersion: 8, opsets: { '': 17, 'com.microsoft': 1 } })).toEqual([
    ['Format', 'ONNX'],
    ['Opset', 'ai.onnx 17, com.microsoft 1'],
    ['IR version', '8'],
  ]);
});

it('says a TensorFlow Lite model’s schema and signatures', () => {
  expect(formatFacts({ name: 'tflite', schemaVersion: 3, signatures: ['serving_default', ''] })).toEqual([
    ['Format', 'TensorFlow Lite, schema 3'],
    ['Signatures', 'serving_default, (unnamed)'],
  ]);
});
