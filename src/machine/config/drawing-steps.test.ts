import { expect, it } from 'vitest';
import { isDrawing, serviceKeyOf, stepRecords, stepTypes } from './parse/transform-steps.ts';

it('knows the steps that draw by their records alone', () => {
  expect(['', 'segmentations', 'toString', ...stepTypes].filter((type) => isDrawing({ type }))).toEqual([
    'detections',
    'classifications',
  ]);
});

it.each(stepTypes)('%s names a vision service exactly if it draws', (type) => {
  const naming = stepRecords[type].attributes.filter(({ namesService }) => namesService);
  const step = { type };
  expect(naming.map(({ key }) => key)).toEqual(isDrawing(step) ? [serviceKeyOf(step.type)] : []);
});
