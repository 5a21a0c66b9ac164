import { expect, it } from 'vitest';
import type { LabelSource, LabelsState } from '../models/labels-state.svelte.ts';
import { labelsBeside } from './labels-beside.ts';

const missing = (path: string): LabelSource => ({ kind: 'missing', named: { path } as never, isOfSample: false });
const sources: Readonly<Record<string, LabelSource>> = {
  tuned: { kind: 'file', named: { path: 'pets.txt' } as never, file: { labels: ['cat', 'dog'], from: 'pets.txt' } },
  same: missing('pets.txt'),
  other: missing('other.txt'),
  numbers: { kind: 'numbers' },
};
const labels: Pick<LabelsState, 'byService' | 'sourceOf'> = {
  byService: { tuned: ['cat', 'dog'], same: null, other: null, numbers: null },
  sourceOf: (service) => sources[service]!,
};

it.each<[string, string | null, readonly string[] | null]>([
  ['same', 'tuned', ['cat', 'dog']],
  ['same', null, null],
  ['other', 'tuned', null],
  ['numbers', 'tuned', null],
  ['tuned', null, ['cat', 'dog']],
])('%s beside %s', (service, like, wanted) => {
  expect(labelsBeside(labels, service, like)).toEqual(wanted);
});
