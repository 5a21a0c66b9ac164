import { createRouterTransport } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { codeOf, startDataService, startTime } from '../../../tests/data-service-fixture.ts';
import { anonymousReceipt } from '../../../tests/contract/data-store/captures.ts';
import { recordedFrame } from '../../../tests/contract/data-store/results.ts';
import { ResultColumnsBuilder } from '../../evidence/replay/result-columns.ts';
import { listRecordings, readResults, type ResultsRequest } from './replay-link.ts';

const { signal } = new AbortController();
const startMs = startTime / 1000;
const hourMs = 3_600_000;

/** A service with a frame each half an hour, 5 in all. */
async function withFrames() {
  const { operator, dependencies } = await startDataService();
  const frames = [0, 1, 2, 3, 4].map((n) =>
    recordedFrame(`a/lab/${n}`, n === 2 ? {} : { dog: n / 10, [`cat ${n % 2}`]: 1 }, {
      organizationId: 'a',
      locationId: 'lab',
      partId: 'lab-part',
      partName: 'lab main',
      robotName: 'lab robot',
      timeRequested: startTime + (n * hourMs * 1000) / 2 + 1,
    }),
  );
  await dependencies.store.binary.insert(frames, anonymousReceipt());
  return operator.transport;
}

const request: ResultsRequest = {
  organizationId: 'a',
  partId: 'lab-part',
  serviceName: 'watch',
  kind: 'detections',
  startMs,
  endMs: startMs + 2 * hourMs + 0.002,
};

it('lists recordings with times that are exact to the microsecond', async () => {
  expect(await listRecordings(await withFrames(), 'a', signal)).toEqual([
    {
      partId: 'lab-part',
      partName: 'lab main',
      robotName: 'lab robot',
      locationId: 'lab',
      serviceName: 'watch',
      frameCount: 5,
      firstMs: startMs + 0.001,
      lastMs: startMs + 2 * hourMs + 0.001,
      kinds: ['detections'],
    },
  ]);
});

it('reads columns piece by piece, and tells how far it has come', async () => {
  const builder = new ResultColumnsBuilder();
  const progress: number[] = [];
  for await (const piece of readResults(await withFrames(), request, signal)) {
    builder.append(piece.columns);
    progress.push(piece.progress);
    for (const { buffer, byteLength } of [piece.columns.timesMs, piece.columns.scores])
      expect(buffer.byteLength).toBe(byteLength);
  }
  const { timesMs, starts, labels, scores, names } = builder.build();
  expect([...timesMs]).toEqual([0, 1, 2, 3, 4].map((n) => startMs + (n * hourMs) / 2 + 0.001));
  expect([...starts]).toEqual([0, 2, 4, 4, 6, 8]);
  expect(Array.from(labels, (label) => names[label])).toEqual([
    'dog',
    'cat 0',
    'dog',
    'cat 1',
    'dog',
    'cat 1',
    'dog',
    'cat 0',
  ]);
  expect([...scores]).toEqual([0, 1, 0.1, 1, 0.3, 1, 0.4, 1]);
  expect(progress.map((part) => Math.round(part * 100))).toEqual([0, 25, 50, 75, 100]);
});

it('reads from the start to before the end', async () => {
  const transport = await withFrames();
  const times: number[] = [];
  const inside = { ...request, startMs: startMs + 0.001, endMs: startMs + hourMs + 0.001 };
  for await (const { columns } of readResults(transport, inside, signal)) times.push(...columns.timesMs);
  expect(times).toEqual([startMs + 0.001, startMs + hourMs / 2 + 0.001]);
});

it('is cancelled by its signal', async () => {
  const stop = new AbortController();
  const pieces = readResults(await withFrames(), request, stop.signal);
  await pieces.next();
  stop.abort();
  expect(await codeOf(pieces.next())).toBe('Canceled');
});

it('says that a data service of others does not know it', async () => {
  const other = createRouterTransport(() => undefined);
  expect(await codeOf(listRecordings(other, 'a', signal))).toBe('Unimplemented');
  expect(await codeOf(readResults(other, request, signal).next())).toBe('Unimplemented');
});
