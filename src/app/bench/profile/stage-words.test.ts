import { expect, it } from 'vitest';
import { frameStages } from '../../../models/profile/frame-times.ts';
import { colourDistance, contrast } from '../../kit/colours/colour-distance.ts';
import { stageWordsOn, type PackedBy } from './stage-words.ts';

const wordsOn = (packsOn: PackedBy) => frameStages.map((stage) => stageWordsOn(packsOn)[stage]);
const words = wordsOn('cpu');
const pairs = words.flatMap((one, at) => words.slice(at + 1).map((other) => [one, other] as const));

it.each(['light', 'dark'] as const)('colours the stages so that they are told apart (%s)', (theme) => {
  for (const [one, other] of pairs) {
    expect(colourDistance(one[theme], other[theme]), `${one.name}, ${other.name}`).toBeGreaterThan(0.075);
  }
});

it('colours them so that their names are read on them, and they stand out from the dialog', () => {
  for (const { light, dark, name } of words) {
    expect(contrast(light, '#ffffff'), name).toBeGreaterThan(4.5);
    expect(contrast(dark, '#0b0d0f'), name).toBeGreaterThan(4.5);
    expect(contrast(dark, '#1b1f23'), name).toBeGreaterThan(3);
  }
});

it.each(['cpu', 'gpu', 'timed gpu'] as const)('calls no two by one name (%s)', (packsOn) => {
  expect(new Set(wordsOn(packsOn).map(({ name }) => name)).size).toBe(words.length);
});

it('does not call packed what the GPU has only been told to pack', () => {
  const { pack, inference } = stageWordsOn('gpu');
  expect([pack.name, inference.does]).toEqual([
    'Orders',
    'The GPU runs steps, stretch, pack and the model, draws the pictures, and tells no time of its own',
  ]);
  expect([stageWordsOn('cpu').pack.name, stageWordsOn('timed gpu').pack.name]).toEqual(['Pack', 'Pack']);
});
