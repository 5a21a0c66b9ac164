import { expect, it } from 'vitest';
import { liveTensorText } from './live-tensor-text.ts';

it.each([
  ['float32', [1, 3, 416, 416], 'float32 1×3×416×416, 2.08 MB'],
  ['FLOAT32', [1, 2], 'FLOAT32 1×2, 8 B'],
  ['uint8', [1, 300, 300, 3], 'uint8 1×300×300×3, 270 kB'],
  ['float32', [1, 3, -1, -1], 'float32 1×3×?×?'],
  ['complex64', [1, 3], 'complex64 1×3'],
])('says %s of %j as %s', (dataType, shape, text) => {
  expect(liveTensorText({ name: 'x', dataType, shape, labelFiles: [] })).toBe(text);
});
