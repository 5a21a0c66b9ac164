import { expect, it } from 'vitest';
import { InferenceError } from '../../../src/machine/vision/errors/inference-error.ts';
import { refuseVastModel, withNeed } from './refuse-vast-models.ts';

const mebibyte = 2 ** 20;

it.each([
  [
    2049 * mebibyte,
    undefined,
    'It has 2.1 GB, and opening it takes at least 4.3 GB: a browser gives a model 4.3 GB at most',
  ],
  [
    700 * mebibyte,
    2,
    'It has 734 MB, and opening it takes at least 1.5 GB: beside the page, this device has no more than about 2 GB',
  ],
])('refuses %i bytes on a device of %s GiB, in words', (bytes, deviceGiB, words) => {
  expect(() => refuseVastModel(bytes, deviceGiB)).toThrow(
    expect.objectContaining({ code: 'out-of-memory', message: expect.stringContaining(words) }),
  );
});

it.each([
  [2048 * mebibyte, undefined],
  [680 * mebibyte, 2],
  [170 * mebibyte, 0.5],
])('takes %i bytes on a device of %s GiB', (bytes, deviceGiB) => {
  expect(() => refuseVastModel(bytes, deviceGiB)).not.toThrow();
});

it('says of an error about memory what the model takes, and of each what is kept of it', () => {
  const full = new InferenceError('out-of-memory', 'There is not enough memory. (ONNX Runtime: std::bad_alloc)');
  expect(withNeed(full, 1.1e9)).toMatchObject({
    code: 'out-of-memory',
    keptBytes: 1.1e9,
    message:
      'It has 1.1 GB, and opening it takes 2.2 GB to 4.4 GB. There is not enough memory. (ONNX Runtime: std::bad_alloc)',
  });
  const other = new InferenceError('runtime', 'It broke off.');
  expect(withNeed(other, 1e6)).toMatchObject({
    code: 'runtime',
    message: 'It broke off.',
    keptBytes: 1e6,
    cause: other,
  });
  const abort = new DOMException('Stopped.', 'AbortError');
  expect(withNeed(abort, 1e6)).toBe(abort);
});
