import { deserialize, serialize } from 'bson';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoredIndex } from '../../../src/data-service/ports/index-store.ts';
import { sinkHints } from '../../../src/data-service/query/mql/sink-hints.ts';
import type { QueryValue } from '../../../src/data-service/query/query-document.ts';
import { freeTerms, pipelineOf, runOf } from './example-pipeline.ts';
import type { StoreUnderTest } from './store-under-test.ts';

const at = new Date('2026-03-11T12:00:00Z');
const later = new Date('2026-03-12T12:00:00Z');

/** The results of two windows: rows with a name and a value `v`. */
const results: Readonly<Record<string, readonly (readonly [name: string, v: QueryValue])[]>> = {
  100: [
    ['one', 1],
    ['minus', -5],
    ['text', 'warm'],
    ['true', true],
    ['null', null],
    ['date', at],
  ],
  200: [
    ['two', 2],
    ['list', [7, 'warm', { c: 2 }]],
    ['nested', { c: 9 }],
    ['later', later],
  ],
};

/** Conditions on `v`, with the names of the rows that match. */
const asked: readonly (readonly [object, readonly string[]])[] = [
  [{ v: 2 }, ['two']],
  [{ v: 'warm' }, ['text', 'list']],
  [{ v: true }, ['true']],
  [{ v: { $gte: 1 } }, ['one', 'two', 'list']],
  [{ v: { $lt: 1 } }, ['minus']],
  [{ v: at }, ['date']],
  [{ v: { $gt: at } }, ['later']],
  [{ v: { $lte: later } }, ['date', 'later']],
  [{ v: 77 }, []],
];

/** The contract tests for a store that builds its clients' indexes, for indexes on a pipeline's sink. */
export function describeSinkIndexes(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`an index of a sink ${name}`, () => {
    let opened: StoreUnderTest;
    beforeEach(async () => {
      opened = await open();
      await opened.store.pipelines.create(pipelineOf('p'));
      await opened.store.pipelines.create(pipelineOf('q'));
    });
    afterEach(() => opened.close());

    const collection = { kind: 'pipeline-sink', pipelineId: 'p' } as const;
    const index = (path: string, changes: Partial<StoredIndex> = {}): StoredIndex => ({
      organizationId: 'org',
      collection,
      name: `${path}_1`,
      key: [{ path, direction: 1 }],
      options: '{}',
      createdBy: 'customer',
      timeCreated: 1,
      ...changes,
    });
    let runs = 0;
    const complete = async (start: number, documents: (typeof results)[string], pipelineId = 'p'): Promise<void> => {
      const run = runOf(`run-${++runs}`, start, { pipelineId });
      const newest = await opened.store.pipelines.latestRuns(pipelineId, { start, end: start + 1 }, 1);
      const terms = { ...freeTerms, rerunOf: newest[0]?.id ?? null };
      expect(await opened.store.pipelines.claim(run, terms)).toBe(true);
      const kept = documents.map(([of, v]) => serialize({ of, v }));
      await opened.store.pipelines.complete(run, { timeEnded: 2, dataSeenUntil: 2, documents: kept });
    };
    const keep = async () => {
      for (const [start, documents] of Object.entries(results)) await complete(Number(start), documents);
    };
    /** The names of the sink's rows that match a condition, read in pages of two. */
    const found = async (condition: object, pipelineId = 'p'): Promise<string[]> => {
      const all: string[] = [];
      for (let after: string | null = null; ;) {
        const hints = sinkHints([{ $match: condition as QueryValue }]);
        const page = await opened.store.pipelines.sink(pipelineId, after, 2, hints);
        all.push(...page.map(({ document }) => (deserialize(document) as { of: string }).of));
        if (page.length < 2) return all;
        after = page.at(-1)!.key;
      }
    };

    it.each(asked)('gives for %j what meets it, and nothing else', async (condition, names) => {
      await complete(100, results[100]!);
      await opened.store.indexes.create(index('v'));
      await complete(200, results[200]!);
      expect(await found(condition)).toEqual(names);
    });

    it('reaches below and into lists', async () => {
      await keep();
      await opened.store.indexes.create(index('v.c'));
      expect(await found({ 'v.c': 2 })).toEqual(['list']);
      expect(await found({ 'v.c': { $gt: 1 } })).toEqual(['list', 'nested']);
    });

    it('is used for its own field and sink alone', async () => {
      await keep();
      await opened.store.indexes.create(index('v'));
      await complete(100, [['one', 1]], 'q');
      expect(await found({ of: 'one' })).toHaveLength(10);
      expect(await found({ v: 2 }, 'q')).toEqual(['one']);
    });

    it('follows a window that is run again', async () => {
      await keep();
      await opened.store.indexes.create(index('v'));
      await complete(100, [['two', 2]]);
      expect(await found({ v: 2 })).toEqual(['two', 'two']);
      expect(await found({ v: 1 })).toEqual([]);
    });

    it('is listed, refused a second time, deleted by name, and gone with its pipeline', async () => {
      const { indexes, pipelines } = opened.store;
      await keep();
      await indexes.create(index('v'));
      await indexes.create(index('of'));
      expect((await indexes.list('org', collection)).map(({ name: listed }) => listed)).toEqual(['of_1', 'v_1']);
      expect(await indexes.list('org', { kind: 'pipeline-sink', pipelineId: 'q' })).toEqual([]);
      expect(await indexes.list('org', { kind: 'hot-store' })).toEqual([]);
      await expect(indexes.create(index('v'))).rejects.toMatchObject({ code: 'already-exists', subject: 'v_1' });
      await indexes.delete('org', collection, 'v_1');
      await expect(indexes.delete('org', collection, 'v_1')).rejects.toMatchObject({ code: 'not-found' });
      expect(await found({ v: 2 })).toHaveLength(10);
      await pipelines.delete('p');
      expect(await indexes.list('org', collection)).toEqual([]);
    });

    it('is refused with an option that would change what is found', async () => {
      const create = opened.store.indexes.create(index('v', { options: '{"unique":true}' }));
      await expect(create).rejects.toMatchObject({ code: 'unsupported' });
    });
  });
}
