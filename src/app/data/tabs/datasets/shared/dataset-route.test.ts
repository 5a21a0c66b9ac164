import { expect, it } from 'vitest';
import { datasetRest, openDataset, readDatasetRest, type DatasetRoute } from './dataset-route.ts';

it.each<[string, DatasetRoute]>([
  ['', { kind: 'list' }],
  ['/import', { kind: 'import', into: '' }],
  ['/import/d1', { kind: 'import', into: 'd1' }],
  ['/d1', openDataset('d1')],
  ['/d1/split', openDataset('d1', 'split')],
  ['/d1/health/label%3Aa%2Fb', openDataset('d1', 'health', 'label:a/b')],
  ['/d1/drift', openDataset('d1', 'drift')],
  ['/d1/labels', openDataset('d1', 'labels')],
  ['/d1/work', openDataset('d1', 'work')],
  ['/d1/edit/local%2Flocal%2Fx', { kind: 'edit', id: 'd1', imageId: 'local/local/x' }],
  ['/d1/edit/x?order=17', { kind: 'edit', id: 'd1', imageId: 'x', order: '17' }],
])('reads %j as it writes it', (rest, place) => {
  expect(readDatasetRest(rest)).toEqual(place);
  expect(datasetRest(place)).toBe(rest);
});

it.each<[string, DatasetRoute]>([
  ['/%', { kind: 'list' }],
  ['/d1/elsewhere', openDataset('d1')],
  ['/d1/edit', openDataset('d1')],
  ['/d1?tag=a', openDataset('d1')],
])('makes the best of %j', (rest, place) => {
  expect(readDatasetRest(rest)).toEqual(place);
});
