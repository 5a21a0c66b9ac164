import { expect, it } from 'vitest';
import { StoreError } from '../../data-service/ports/store-error.ts';
import { scanResults, type ResultReader, type ResultSource } from './scan-results.ts';

const filter = {
  organizationId: 'a',
  locationIds: [],
  partId: 'p',
  serviceName: 'watch',
  interval: { start: null, end: null },
};
const frames = [1_000_000, 2_000_000].map((timeRequested) => ({
  timeRequested,
  boundingBoxes: [],
  classifications: [],
}));

/** Reads two frames of one stream, which are enough for a sheet, from a store that cannot keep it. */
async function timesWhere(refusal: Error): Promise<readonly number[]> {
  const reader: ResultReader = {
    streams: [1],
    firstTime: async (from) => (from < 1_000_000 ? 1_000_000 : null),
    sheet: async () => null,
    frames: async (_stream, _quarter, limit) => frames.slice(0, limit),
  };
  const source: ResultSource = {
    read: (_of, work) => work(reader),
    makeSheets: () => Promise.reject(refusal),
    close: async () => {},
  };
  const times: number[] = [];
  for await (const { timesMs } of scanResults(source, filter, 'detections', new AbortController().signal, 2)) {
    times.push(...timesMs);
  }
  return times;
}

it('reads a quarter also where the disk has no room to keep its sheet', async () => {
  expect(await timesWhere(new StoreError('resource-exhausted', 'The disk is full.'))).toEqual([1000, 2000]);
});

it('says why a sheet could not be made for any other reason', async () => {
  await expect(timesWhere(new StoreError('damaged', 'A row cannot be read.'))).rejects.toThrow('A row cannot be read.');
});
