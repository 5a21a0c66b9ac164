import { expect, it } from 'vitest';
import type { GpuParity } from '../../../../workers/vision/protocol.ts';
import { parityWords } from './parity-words.ts';

const same: GpuParity = { pixelLevels: 0, tensor: 0, outputs: 0, boxes: null, scores: null };
const boxes = { onGpu: 3, onCpu: 3, paired: 3, largestShiftPx: 0, largestScore: 0 };

it.each<[string, GpuParity, string[]]>([
  [
    'nothing apart',
    { ...same, boxes, scores: 0 },
    [
      'Pixels: the same on GPU and CPU, to the bit.',
      'Model’s input: the same on GPU and CPU, to the bit.',
      'Model’s outputs: the same on GPU and CPU, to the bit.',
      'Boxes: 3 on both, at the same pixels, with the same scores.',
      'Scores of classes: the same on GPU and CPU, to the bit.',
    ],
  ],
  [
    'everything a little apart',
    {
      pixelLevels: 1,
      tensor: 0.0123,
      outputs: 2e-7,
      boxes: { ...boxes, largestShiftPx: 2, largestScore: 1.234e-5 },
      scores: 12,
    },
    [
      'Pixels: up to 1 of 255 levels apart.',
      'Model’s input: up to 0.012 apart.',
      'Model’s outputs: up to 2.0e-7 apart.',
      'Boxes: 3 on both, up to 2 px apart, their scores up to 1.2e-5 apart.',
      'Scores of classes: up to 12 apart.',
    ],
  ],
])('says what it shows: %s', (_, parity, sentences) => {
  expect(parityWords(parity)).toEqual(sentences);
});

it.each<[Partial<GpuParity>, string]>([
  [{ tensor: Infinity }, 'Model’s input: some are not numbers.'],
  [{ outputs: null }, 'Model’s outputs: they differ in size.'],
  [{ boxes: { ...boxes, onGpu: 0, onCpu: 0, paired: 0 } }, 'Boxes: none on either.'],
  [{ boxes: { ...boxes, onGpu: 4 } }, 'Boxes: 4 on the GPU and 3 on the CPU, 3 of them on both.'],
])('says what is not comparable: %j', (changes, sentence) => {
  expect(parityWords({ ...same, ...changes })).toContain(sentence);
});
