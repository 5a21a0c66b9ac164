import { expect, it } from 'vitest';
import { outputLocations } from './output-locations.ts';

const tensor = (name: string, type: 'float32' | 'float16' | 'int64', shape: (number | string)[]) =>
  ({ name, isTensor: true, type, shape }) as const;
const image = tensor('image', 'float32', ['batch', 3, 'height', 'width']);
const fileOf = (text: string) => new TextEncoder().encode(text);

it.each<[string, string, Parameters<typeof tensor>, string]>([
  ['floats of a known size', 'Conv', ['y', 'float32', [1, 84, 100]], 'gpu-buffer'],
  ['half floats of the input’s size', 'Conv', ['y', 'float16', ['batch', 'height']], 'gpu-buffer'],
  ['labels, which no shader makes', 'Conv', ['y', 'int64', [1, 100]], 'cpu'],
  ['rows that are counted', 'NonZero', ['y', 'float32', [1, 'rows', 4]], 'cpu'],
  [
    'a known number of rows of a model that suppresses',
    'N NonMax NonMaxSuppression',
    ['y', 'float32', [1, 9, 4]],
    'cpu',
  ],
])('leaves %s where they are made', (_, operators, output, location) => {
  const metadata = { inputMetadata: [image], outputMetadata: [tensor(...output)] };
  expect(outputLocations(fileOf(operators), metadata)).toEqual({ y: location });
});
