import { expect, it } from 'vitest';
import { openDataTab } from '../../../../../tests/data-tab-fixture.ts';
import { PipelineDraft } from '../pipelines/pipeline-draft.svelte.ts';
import { CollectionIndexes } from './collection-indexes.svelte.ts';
import { indexWords } from './index-text.ts';

const never = new AbortController().signal;
const listed = ({ indexes }: CollectionIndexes) =>
  indexes?.map(({ indexName, indexSpec }) => `${indexName}: ${indexWords(indexSpec)}`);

it('creates and deletes indexes of the hot store, and of a sink by its pipeline', async () => {
  const { context, said } = await openDataTab();
  const draft = new PipelineDraft(context);
  draft.name = 'counts';
  await draft.create();
  said.length = 0;
  const indexes = new CollectionIndexes(context);
  expect(indexes.indexes).toBeNull();
  await indexes.show('', never);
  expect(listed(indexes)).toEqual([]);
  expect(await indexes.create([{ path: ' component_name ', direction: 1 }], ' by-name ')).toBe(true);
  expect(listed(indexes)).toEqual(['by-name: component_name ↑']);
  await indexes.show('counts', never);
  expect(listed(indexes)).toEqual([]);
  expect(await indexes.create([{ path: 'n', direction: -1 }], '')).toBe(true);
  expect(listed(indexes)).toEqual([expect.stringMatching(/n.*: n ↓$/)]);
  await indexes.show('', never);
  expect(await indexes.delete('by-name')).toBe(true);
  expect(listed(indexes)).toEqual([]);
  expect(said).toEqual(['Index created.', 'Index created.', 'by-name deleted.']);
});

it('says why one was refused, until the next is not', async () => {
  const { context, said } = await openDataTab();
  const indexes = new CollectionIndexes(context);
  await indexes.show('none', never);
  expect(indexes.failure?.message).toMatch(/none/);
  await indexes.show('', never);
  expect(await indexes.delete('none')).toBe(false);
  expect(indexes.failure?.message).toMatch(/none/);
  indexes.dismiss();
  expect(indexes.failure).toBeNull();
  expect(await indexes.create([{ path: '$bad', direction: 1 }], '')).toBe(false);
  expect(indexes.failure?.message).toMatch(/\$bad/);
  expect(await indexes.create([{ path: 'good', direction: 1 }], '')).toBe(true);
  expect([indexes.failure, said]).toEqual([null, ['Index created.']]);
});
