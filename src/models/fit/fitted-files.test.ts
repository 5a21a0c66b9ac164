import { describe, expect, it } from 'vitest';
import { fitConfiguration } from './source/fit-configuration.ts';
import { fittedFileNames, fittedFiles } from './fitted-files.ts';

const names = fittedFileNames('net.fitted');
const model = new Uint8Array([1, 2, 3]);
const feeding = { dtype: 'uint8', mean: null, stdDev: null, bgr: false } as const;
const configuration = fitConfiguration({
  kind: 'detections',
  format: 'onnx',
  feeding,
  modelFile: names.model,
  labelFile: names.labels,
});
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('the files of a fitted model', () => {
  it('are named after one stem', () => {
    const files = fittedFiles({ model, labels: ['cat', 'dog'], configuration }, names);
    expect(files.map(({ name }) => name)).toEqual([
      'net.fitted.onnx',
      'net.fitted.labels.txt',
      'net.fitted.machine.json',
    ]);
    expect(files[0]!.bytes).toBe(model);
    expect(textOf(files[1]!.bytes)).toBe('cat\ndog\n');
    expect(JSON.parse(textOf(files[2]!.bytes))).toEqual(configuration);
    expect(textOf(files[2]!.bytes).endsWith('}\n')).toBe(true);
  });

  it('leave labels out where the classes have no names', () => {
    expect(fittedFiles({ model, labels: null, configuration }, names)).toHaveLength(2);
  });
});
