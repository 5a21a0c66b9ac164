import { describe, expect, it } from 'vitest';
import { schedulerOn, counts } from '../../../tests/altered-schedulers.ts';
import { never, ofDay, startBench } from '../../../tests/pipeline-bench.ts';

describe('late data', () => {
  const filled = async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', scheduler);
    return { bench, scheduler, id };
  };

  it('is waited for until it must be visible', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.at('05:21');
    await bench.capture('04:40');
    await bench.at('05:21:30', scheduler);
    expect(await counts(bench, id)).toEqual([1]);
    await bench.at('05:21:31', scheduler);
    expect(await counts(bench, id)).toEqual([2]);
  });

  it('is none that a run must have seen', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.capture('04:40', 'probe', '05:19:30');
    await bench.at('05:20:31', scheduler);
    expect(await bench.runs(id)).toHaveLength(1);
  });

  const withWrites = async () => {
    const bench = await startBench();
    const writes: { oldest: number | null } = { oldest: null };
    const oldestWrite = async () => writes.oldest ?? bench.time.now;
    return { bench, writes, scheduler: schedulerOn(bench, {}, {}, { oldestWrite }) };
  };

  it('is waited for as long as a write is under way that began before it', async () => {
    const { bench, writes, scheduler } = await withWrites();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    await bench.at('05:20', scheduler);
    writes.oldest = ofDay('05:21');
    await bench.at('05:22');
    await bench.capture('04:50');
    await bench.at('05:23', scheduler);
    expect(await counts(bench, id)).toEqual([1]);
    await bench.capture('04:40', 'probe', '05:20:50');
    writes.oldest = null;
    await bench.at('05:24', scheduler);
    expect(await counts(bench, id)).toEqual([3]);
  });

  it('is what a run has not seen since its write was under way', async () => {
    const { bench, writes, scheduler } = await withWrites();
    await bench.at('05:10');
    await bench.capture('04:30');
    const id = await bench.create({ enableBackfill: true });
    writes.oldest = ofDay('05:10');
    await bench.at('05:20', scheduler);
    expect(await counts(bench, id)).toEqual([1]);
    await bench.capture('04:40', 'probe', '05:10:05');
    writes.oldest = null;
    await bench.at('05:21', scheduler);
    expect(await counts(bench, id)).toEqual([2]);
  });

  it('is left where a scheduler was told to stop', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.at('05:21');
    await bench.capture('04:40');
    await bench.at('05:22');
    expect(await scheduler.tick(AbortSignal.abort())).toBe(false);
    expect(await bench.runs(id)).toEqual(['04:00-05:00 COMPLETED']);
    await scheduler.tick(never);
    expect(await counts(bench, id)).toEqual([2]);
  });

  it('of more than a thousand readings is all seen to at once', async () => {
    const { bench, scheduler, id } = await filled();
    await bench.capture('03:30');
    await bench.at('05:21', scheduler);
    expect(await counts(bench, id)).toEqual([1, 1]);
    await bench.at('05:22');
    for (let i = 0; i < 1000; i++) await bench.capture('04:40');
    await bench.capture('03:40');
    await bench.at('05:23', scheduler);
    expect(await counts(bench, id)).toEqual([2, 1001]);
  });

  it('is read from the store once', async () => {
    const bench = await startBench();
    const read: number[] = [];
    const scheduler = schedulerOn(
      bench,
      {},
      {
        arrivals: async (...of) => {
          const page = await bench.store.tabular.arrivals(...of);
          read.push(page.length);
          return page;
        },
      },
    );
    await bench.at('05:10');
    await bench.capture('04:30');
    await bench.create({ enableBackfill: true });
    for (const time of ['05:20', '05:21', '05:22']) await bench.at(time, scheduler);
    expect(read).toEqual([1, 0, 0]);
  });

  const theirs = (start: string, end: string) => ({ window: { start: ofDay(start), end: ofDay(end) } });

  it.each([
    ['05:01:30', 2],
    ['05:01:29', 1],
  ])(
    'that came in at %s, an hour before the newest run or later, is looked for by who begins',
    async (synced, runs) => {
      const bench = await startBench();
      await bench.at('05:10');
      const id = await bench.create({ enableBackfill: true });
      await bench.ran(id, ofDay('04:00'), { ...theirs('04:00', '05:00'), dataSeenUntil: ofDay('05:00') });
      await bench.ran(id, ofDay('05:00'), { ...theirs('05:00', '06:00'), dataSeenUntil: ofDay('06:01:30') });
      await bench.capture('04:30', 'probe', synced);
      await bench.at('06:03', bench.scheduler());
      expect((await bench.runs(id)).filter((run) => run.startsWith('04:00'))).toHaveLength(runs);
    },
  );

  it('waits for the run that another host is at', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill: true });
    const open = { id: 'theirs', status: 'started', timeEnded: null, leaseUntil: ofDay('05:20') } as const;
    await bench.ran(id, ofDay('04:00'), { ...theirs('04:00', '05:00'), ...open });
    await bench.capture('04:30');
    await bench.at('05:12', scheduler);
    expect(await bench.runs(id)).toEqual(['04:00-05:00 STARTED']);
    const seen = { timeEnded: ofDay('05:13'), dataSeenUntil: ofDay('05:05'), documents: [] };
    await bench.store.pipelines.complete(
      { id: 'theirs', pipelineId: id, organizationId: 'a', leaseOwner: 'another host' },
      seen,
    );
    await bench.at('05:14', scheduler);
    expect(await counts(bench, id)).toEqual([1]);
  });

  it('is seen to where the host that was at it is lost, however long ago the window was', async () => {
    const bench = await startBench();
    const scheduler = bench.scheduler();
    await bench.at('05:10');
    await bench.capture('03:58:30', 'probe', '03:59');
    const id = await bench.create({ enableBackfill: true, schedule: '* * * * *' });
    for (const time of ['05:10', '05:10:10', '05:10:20']) await bench.at(time, scheduler);
    expect(await counts(bench, id)).toEqual([1]);
    await bench.at('05:11');
    await bench.capture('03:58:40');
    const { pipelines } = bench.store;
    const [run] = await pipelines.latestRuns(id, { start: ofDay('03:58'), end: ofDay('03:59') }, 1);
    const open = { id: 'theirs', status: 'started', timeEnded: null, leaseUntil: ofDay('05:15') } as const;
    const terms = { longestLease: 1e9, lostMessage: '', rerunOf: run!.id, notAfter: null };
    expect(await pipelines.claim({ ...run!, ...open, leaseOwner: 'another host' }, terms)).toBe(true);
    for (const time of ['05:12', '05:15']) await bench.at(time, scheduler);
    expect(await counts(bench, id)).toEqual([1]);
    await bench.at('05:15:01', scheduler);
    expect(await counts(bench, id)).toEqual([2]);
  });

  it('does not try again what failed', async () => {
    const bench = await startBench();
    await bench.at('05:10');
    const id = await bench.create({ enableBackfill: true });
    await bench.ran(id, ofDay('04:00'), { ...theirs('04:00', '05:00'), status: 'failed' });
    await bench.capture('04:30');
    await bench.at('05:12', bench.scheduler());
    expect(await bench.runs(id)).toEqual(['04:00-05:00 FAILED']);
  });
});
