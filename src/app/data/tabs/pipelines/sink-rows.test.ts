import { expect, it } from 'vitest';
import { startBench } from '../../../../../tests/pipeline-bench.ts';
import { SinkRows } from './sink-rows.svelte.ts';

const never = new AbortController().signal;

it('reads the newest rows that a pipeline kept, and says why it could not', async () => {
  const bench = await startBench();
  bench.time.now = Date.parse('2026-03-11T05:10:00Z') * 1000;
  const id = await bench.create();
  const scheduler = bench.scheduler();
  const home = { organizationId: 'a', locationId: 'lab', partId: 'lab-part' };
  const sink = new SinkRows({ data: bench.owner.data, home });
  await sink.read(id, never);
  expect([sink.kept?.rows, sink.failure]).toEqual([[], null]);
  await bench.capture('05:30', 'probe');
  await bench.capture('06:30', 'scale');
  await bench.at('06:10', scheduler);
  await bench.at('07:10', scheduler);
  await sink.read(id, never);
  expect(sink.kept?.rows).toMatchObject([
    { _id: 'scale', n: 1 },
    { _id: 'probe', n: 1 },
  ]);
  await sink.read('none', never);
  expect(sink.failure?.message).toMatch(/none/);
  expect(sink.kept?.rows).toHaveLength(2);
  await sink.read(id, never);
  expect(sink.failure).toBeNull();
  await sink.read('none', AbortSignal.abort());
  expect(sink.failure).toBeNull();
});
