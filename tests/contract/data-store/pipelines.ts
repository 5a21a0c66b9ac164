import { beforeEach, describe, expect, it } from 'vitest';
import type { PipelineRun } from '../../../src/data-service/ports/pipeline-store.ts';
import { freeTerms, pipelineOf as pipeline, runOf as run } from './example-pipeline.ts';
import type { Subject } from './store-under-test.ts';

export function describePipelines(subject: Subject): void {
  const pipelines = () => subject().store.pipelines;
  const claim = (one: PipelineRun, rerunOf: string | null = null) => pipelines().claim(one, { ...freeTerms, rerunOf });
  const result = (...documents: readonly number[]) => ({
    timeEnded: 60,
    dataSeenUntil: 55,
    documents: documents.map((byte) => Uint8Array.of(byte)),
  });
  const sinkBytes = async () => (await pipelines().sink('p', null, 100)).map(({ document }) => document[0]);

  describe('pipelines', () => {
    it('have names of their own and are listed by them', async () => {
      await pipelines().create(pipeline('b'));
      await pipelines().create(pipeline('a', { enabled: false }));
      await pipelines().create(pipeline('c', { organizationId: 'other', name: 'name-a' }));
      const twin = pipelines().create(pipeline('d', { name: 'name-a' }));
      await expect(twin).rejects.toMatchObject({ code: 'already-exists', subject: 'name-a' });
      expect(await pipelines().list('org')).toEqual([pipeline('a', { enabled: false }), pipeline('b')]);
      expect((await pipelines().listEnabled()).map(({ id }) => id)).toEqual(['c', 'b']);
      expect(await pipelines().update('a', { enabled: true, timeEnabled: 7 })).toEqual(
        pipeline('a', { timeEnabled: 7 }),
      );
      expect((await pipelines().listEnabled()).map(({ id }) => id)).toEqual(['a', 'c', 'b']);
      await expect(pipelines().update('a', { name: 'name-b' })).rejects.toMatchObject({ code: 'already-exists' });
      await expect(pipelines().update('x', {})).rejects.toMatchObject({ code: 'not-found', subject: 'x' });
      expect(await pipelines().get('x')).toBeNull();
    });

    it('have no windows where they are not there, or not any more', async () => {
      expect(await claim(run('a', 0))).toBe(false);
      await pipelines().create(pipeline('p'));
      await pipelines().delete('p');
      expect(await claim(run('a', 0))).toBe(false);
      expect(await pipelines().runs('p', null, 10)).toEqual([]);
    });
  });

  describe('windows of a pipeline', () => {
    beforeEach(async () => {
      await subject().setTime(50);
      await pipelines().create(pipeline('p'));
    });

    it('are given to one of many who claim it at once', async () => {
      const claims = await Promise.all(['a', 'b', 'c', 'd'].map((id) => claim(run(id, 0, { leaseOwner: id }))));
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await pipelines().runs('p', null, 10)).toHaveLength(1);
    });

    it('are given on when their holder is lost, not before', async () => {
      expect(await claim(run('a', 0))).toBe(true);
      await subject().setTime(100);
      expect(await claim(run('b', 0))).toBe(false);
      await subject().setTime(101);
      expect(await claim(run('c', 0, { leaseOwner: 'host-2', leaseUntil: 300 }))).toBe(true);
      const [newest, lost] = await pipelines().runs('p', null, 10);
      expect(newest).toEqual(run('c', 0, { leaseOwner: 'host-2', leaseUntil: 300 }));
      expect(lost).toEqual(run('a', 0, { status: 'failed', timeEnded: 101, errorMessage: 'its host was lost' }));
      const held = run('a', 0);
      await expect(pipelines().updateRun(held, { status: 'started' })).rejects.toMatchObject({ code: 'conflict' });
      await expect(pipelines().complete(held, result(1))).rejects.toMatchObject({ code: 'conflict' });
      expect(await sinkBytes()).toEqual([]);
    });

    it('do not believe a lease that no right clock can have given', async () => {
      await claim(run('a', 0, { leaseUntil: 1051 }));
      expect(await claim(run('b', 0, { leaseUntil: 1050 }))).toBe(true);
      expect(await claim(run('c', 0))).toBe(false);
      const [first] = (await pipelines().runs('p', null, 10)).filter(({ id }) => id === 'a');
      expect(first).toMatchObject({ status: 'failed', timeEnded: 50 });
    });

    it('are not claimed by one that comes too late for what it knew', async () => {
      await claim(run('a', 0));
      await pipelines().complete(run('a', 0), result(1));
      const late = { ...freeTerms, rerunOf: 'a', notAfter: 49 };
      expect(await pipelines().claim(run('b', 0), late)).toBe(false);
      expect(await pipelines().claim(run('c', 20), late)).toBe(false);
      expect(await pipelines().claim(run('b', 0), { ...late, notAfter: 50 })).toBe(true);
    });

    it('are run again when finished, only over the run that was meant', async () => {
      await claim(run('a', 0));
      await pipelines().complete(run('a', 0), result(1, 2));
      expect(await claim(run('b', 0))).toBe(false);
      expect(await claim(run('b', 0), 'x')).toBe(false);
      expect(await claim(run('b', 0), 'a')).toBe(true);
      expect(await claim(run('c', 0), 'a')).toBe(false);
      expect(await sinkBytes()).toEqual([1, 2]);
      await pipelines().complete(run('b', 0), result(3));
      expect(await sinkBytes()).toEqual([3]);
      expect(await pipelines().latestRuns('p', { start: null, end: null }, 10)).toEqual([
        run('b', 0, { status: 'completed', timeEnded: 60, dataSeenUntil: 55 }),
      ]);
    });

    it('keep results by window, in order, a page at a time', async () => {
      for (const [id, start, documents] of [
        ['b', 1000, [3, 4]],
        ['a', 20, [1, 2]],
        ['c', 2000, []],
      ] as const) {
        await claim(run(id, start));
        await pipelines().complete(run(id, start), result(...documents));
      }
      expect(await sinkBytes()).toEqual([1, 2, 3, 4]);
      const first = await pipelines().sink('p', null, 3);
      const rest = await pipelines().sink('p', first.at(-1)!.key, 3);
      expect(rest.map(({ document }) => document)).toEqual([Uint8Array.of(4)]);
      expect(await pipelines().sink('other', null, 3)).toEqual([]);
    });

    it('list runs newest first and windows oldest first', async () => {
      for (const start of [10, 30, 20]) await claim(run(`at-${start}`, start));
      await pipelines().updateRun(run('at-20', 20), { status: 'failed', errorMessage: 'too long' });
      await claim(run('again-20', 20), 'at-20');
      const first = await pipelines().runs('p', null, 2);
      expect(first.map(({ id }) => id)).toEqual(['at-30', 'at-20']);
      const rest = await pipelines().runs('p', { windowStart: 20, id: 'at-20' }, 5);
      expect(rest.map(({ id }) => id)).toEqual(['again-20', 'at-10']);
      const latest = await pipelines().latestRuns('p', { start: 10, end: 30 }, 5);
      expect(latest.map(({ id }) => id)).toEqual(['at-10', 'again-20']);
      expect((await pipelines().latestRuns('p', { start: null, end: null }, 1)).map(({ id }) => id)).toEqual(['at-10']);
      await expect(pipelines().updateRun(run('at-20', 20), {})).rejects.toMatchObject({ code: 'conflict' });
    });

    it('are deleted with their runs and results', async () => {
      await claim(run('a', 0));
      await pipelines().complete(run('a', 0), result(1));
      await pipelines().delete('p');
      expect(await pipelines().get('p')).toBeNull();
      expect(await pipelines().runs('p', null, 10)).toEqual([]);
      expect(await sinkBytes()).toEqual([]);
      await expect(pipelines().delete('p')).rejects.toMatchObject({ code: 'not-found', subject: 'p' });
    });
  });
}
