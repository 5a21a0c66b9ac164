import { expect, it } from 'vitest';
import { renameLabels, renameResults } from './rename-labels.ts';

it.each([
  ['numbers get names', ['0', '1', '2'], [2, 0], ['ant', 'bee', 'cow'], ['ant', 'bee', 'cow']],
  ['names get other names', ['ant', 'bee'], [1], ['Ant', 'Bee'], ['Ant', 'Bee']],
  ['names become numbers', ['ant', 'bee', 'cow'], [1], null, ['0', '1']],
  ['an empty list is none', ['ant'], [0], [], ['0']],
  ['a longer list fits', ['ant'], [0], ['ant', 'bee'], ['ant', 'bee']],
  ['a shorter one fits the classes that came', ['ant', 'bee'], [0], ['ant'], ['ant']],
  ['and no more of them', ['ant', 'bee'], [0, 1], ['ant'], null],
  ['no box needs no name', ['ant'], [], ['bee'], ['bee']],
  ['stray numbers have lost their places', ['7', '5000'], [0, 1], ['ant', 'bee'], null],
])('%s', (_, labels, classes, list, named) => {
  expect(renameLabels(labels, Uint32Array.from(classes), list)).toEqual(named);
});

it('names the classes of a classifier only by a list of as many', () => {
  expect(renameLabels(['0', '1'], 'all', ['ant', 'bee'])).toEqual(['ant', 'bee']);
  expect(renameLabels(['0', '1'], 'all', ['ant', 'bee', 'cow'])).toBeNull();
  expect(renameLabels(['0', '1'], 'all', ['ant'])).toBeNull();
});

it('renames all results of a frame, or none', () => {
  const classifications = { labels: ['0', '1'], score: Float64Array.of(0.9, 0.1) };
  const detections = { labels: ['0', '1'], labelIndex: Uint32Array.of(1) } as never;
  const results = { detections, classifications };
  expect(renameResults(results, ['ant', 'bee'])).toMatchObject({
    detections: { labels: ['ant', 'bee'], labelIndex: Uint32Array.of(1) },
    classifications: { labels: ['ant', 'bee'], score: Float64Array.of(0.9, 0.1) },
  });
  expect(renameResults(results, ['ant'])).toBeNull();
  expect(renameResults({ detections: null, classifications: null }, ['ant'])).toEqual({ detections: null, classifications: null }); // prettier-ignore
  const surest = { labels: ['7', '3'], score: Float64Array.of(0.9, 0.1), unlisted: 90 };
  expect(renameResults({ detections: null, classifications: surest }, ['ant'])).toBeNull();
});
