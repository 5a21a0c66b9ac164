import { describe, expect, it } from 'vitest';
import type { DataStore } from '../../../src/data-service/ports/data-store.ts';
import {
  recordedMethod,
  type ResultFilter,
  type ResultKind,
  type ResultStore,
} from '../../../src/data-service/ports/result-store.ts';
import type { BinaryRecord } from '../../../src/data-service/ports/stored-captures.ts';
import { anonymousReceipt, binaryRecord, box } from './captures.ts';
import type { Subject } from './store-under-test.ts';

export const resultFilter = (changes: Partial<ResultFilter> = {}): ResultFilter => ({
  organizationId: 'org',
  locationIds: [],
  partId: 'part',
  serviceName: 'watch',
  interval: { start: null, end: null },
  ...changes,
});

/** A frame of a recorded vision service, with a box for each label. */
export const recordedFrame = (
  id: string,
  scores: Readonly<Record<string, number | null>>,
  changes: Partial<BinaryRecord> = {},
): BinaryRecord =>
  binaryRecord(id, {
    componentType: 'rdk:service:vision',
    componentName: 'watch',
    methodName: recordedMethod,
    boundingBoxes: Object.entries(scores).map(([label, confidence]) => ({ ...box(label), confidence })),
    ...changes,
  });

type Frame = readonly [timeMs: number, ...results: (readonly [label: string, score: number])[]];

/** All frames of a scan with their results. Those of one time come in any order: here, in that of their texts. */
export async function scannedFrames(
  results: ResultStore,
  filter: ResultFilter,
  kind: ResultKind = 'detections',
): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for await (const { timesMs, starts, labels, scores, names } of results.scan(filter, kind, aborted(false))) {
    expect(timesMs.length).toBeGreaterThan(0);
    expect([starts.length, starts[0], starts.at(-1)]).toEqual([timesMs.length + 1, 0, labels.length]);
    for (const [frame, timeMs] of timesMs.entries()) {
      const places = Array.from(labels.subarray(starts[frame], starts[frame + 1]), (_, at) => starts[frame]! + at);
      frames.push([timeMs, ...places.map((place) => [names[labels[place]!]!, scores[place]!] as const)]);
    }
  }
  expect(frames.map(([timeMs]) => timeMs)).toEqual(frames.map(([timeMs]) => timeMs).toSorted((a, b) => a - b));
  return frames.toSorted((a, b) => a[0] - b[0] || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function aborted(isAborted: boolean): AbortSignal {
  return isAborted ? AbortSignal.abort(new Error('enough')) : new AbortController().signal;
}

const quarter = 15 * 60 * 1_000_000;
/** Frames in three quarters of an hour, with a quarter of none, given in another order. */
const times = [5, 0, quarter - 1, quarter, 3 * quarter + 7, 3 * quarter + 7];
const manyFrames = times.map((timeRequested, n) => recordedFrame(`id-${n}`, { dog: n / 10 }, { timeRequested }));
const asSeen: readonly Frame[] = [
  [0, ['dog', 0.1]],
  [0.005, ['dog', 0]],
  [899_999.999, ['dog', 0.2]],
  [900_000, ['dog', 0.3]],
  [2_700_000.007, ['dog', 0.4]],
  [2_700_000.007, ['dog', 0.5]],
];

export function describeResults(subject: Subject): void {
  const store = (): DataStore => subject().store;
  const seen = (changes: Partial<ResultFilter> = {}, kind?: ResultKind) =>
    scannedFrames(store().results, resultFilter(changes), kind);
  const insert = (...records: readonly BinaryRecord[]) => store().binary.insert(records, anonymousReceipt());

  describe('results of recorded vision services', () => {
    it('come in the order of capture time, whenever they were stored, the second time as the first', async () => {
      await insert(...manyFrames);
      for (let times = 0; times < 3; times++) expect(await seen()).toEqual(asSeen);
    });

    it('have each label and score of a frame in its order, and frames without any', async () => {
      await insert(
        recordedFrame('a', { dog: 0.25, cat: 0.1 + 0.2, ' dog': 1 }, { timeRequested: 1000 }),
        recordedFrame('b', {}, { timeRequested: 2000 }),
        recordedFrame('c', { 'nul\0': 0 }, { timeRequested: 3000 }),
      );
      for (let times = 0; times < 2; times++) {
        const first = [['dog', 0.25] as const, ['cat', 0.1 + 0.2] as const, [' dog', 1] as const];
        expect(await seen()).toEqual([[1, ...first], [2], [3, ['nul\0', 0]]]);
      }
    });

    it('are of boxes or of whole frames, as asked, without those that have no confidence', async () => {
      const classifications = [
        { id: 'c', label: 'day', confidence: 0.9 },
        { id: 'd', label: 'drawn', confidence: null },
      ];
      await insert(recordedFrame('a', { dog: 0.5, drawn: null }, { timeRequested: 0, classifications }));
      for (let times = 0; times < 2; times++) {
        expect(await seen()).toEqual([[0, ['dog', 0.5]]]);
        expect(await seen({}, 'classifications')).toEqual([[0, ['day', 0.9]]]);
      }
    });

    it('begin with the start of a span, and end before its end', async () => {
      await insert(...manyFrames);
      const ends = [null, 0, 1, 5, 6, quarter - 1, quarter, quarter + 1, 3 * quarter + 7, 3 * quarter + 8];
      for (let times = 0; times < 2; times++) {
        for (const start of ends)
          for (const end of ends) {
            const inside = asSeen.filter(
              ([ms]) => (start === null || ms >= start / 1000) && (end === null || ms < end / 1000),
            );
            expect(await seen({ interval: { start, end } }), `${start} to ${end}`).toEqual(inside);
          }
      }
    });

    it('are those of one service of one part of one organization, in the locations asked for', async () => {
      const others: Partial<BinaryRecord>[] = [
        { organizationId: 'other' },
        { partId: 'other' },
        { componentName: 'other' },
        { methodName: 'ReadImage' },
        { internal: true },
      ];
      await insert(
        ...others.map((changes, n) => recordedFrame(`no-${n}`, { cat: 0.5 }, { timeRequested: n, ...changes })),
        recordedFrame('a', { dog: 0.1 }, { timeRequested: 2 }),
        recordedFrame('b', { dog: 0.2 }, { timeRequested: 1, locationId: 'yard' }),
        recordedFrame('c', { dog: 0.3 }, { timeRequested: 3, mimeType: 'image/png' }),
      );
      for (let times = 0; times < 2; times++) {
        expect((await seen()).map(([ms]) => ms)).toEqual([0.001, 0.002, 0.003]);
        expect((await seen({ locationIds: ['loc'] })).map(([ms]) => ms)).toEqual([0.002, 0.003]);
        expect(await seen({ locationIds: ['none'] })).toEqual([]);
        expect(await seen({ organizationId: 'other' })).toEqual([[0, ['cat', 0.5]]]);
        expect(await seen({ partId: 'other' })).toEqual([[0.001, ['cat', 0.5]]]);
        expect(await seen({ serviceName: 'other' })).toEqual([[0.002, ['cat', 0.5]]]);
      }
    });

    it('are never of before an edit, a tag, a deletion or an upload, however often they were read', async () => {
      await insert(...manyFrames);
      const expected = new Map(asSeen.map((frame) => [frame[1]![1], frame]));
      const asExpected = () => [...expected.values()].toSorted((a, b) => a[0] - b[0]);
      const read = async () => {
        for (let times = 0; times < 2; times++) expect(await seen()).toEqual(asExpected());
      };
      await read();
      await store().binary.edit('org', ['id-1'], (record) => ({
        ...record,
        boundingBoxes: [{ ...box('cat'), confidence: 0.75 }],
      }));
      expected.set(0.1, [0, ['cat', 0.75]]);
      await read();
      await store().binary.edit('org', ['id-0', 'id-3'], (record) => ({ ...record, tags: ['t'] }));
      await read();
      await store().binary.edit('org', ['id-3'], (record) => ({ ...record, tags: [] }));
      await read();
      await store().binary.delete('org', ['id-2', 'id-0', 'none']);
      for (const score of [0.2, 0]) expected.delete(score);
      await read();
      await insert(recordedFrame('new', { dog: 0.9 }, { timeRequested: quarter + 3 }));
      expected.set(0.9, [900_000.003, ['dog', 0.9]]);
      await read();
    });

    it('are as they were where a write fails', async () => {
      await insert(...manyFrames);
      await seen();
      const refused = store().binary.edit('org', ['id-0', 'none'], (record) => ({ ...record, boundingBoxes: [] }));
      await expect(refused).rejects.toMatchObject({ code: 'not-found', subject: 'none' });
      const unknown = recordedFrame('late', { dog: 1 }, { timeRequested: 1, tags: ['SVC_DATASET_none'] });
      await expect(insert(unknown)).rejects.toMatchObject({ code: 'not-found' });
      expect(await seen()).toEqual(asSeen);
    });

    it('have each frame once, while frames are added, tagged and deleted', async () => {
      await insert(...manyFrames);
      const lasting = new Set([0.1, 0.2, 0.4, 0.5]); // scores of the frames that stay
      const writes = async (): Promise<void> => {
        for (let n = 0; n < 20; n++) {
          const tags = n % 2 ? [] : ['t'];
          await store().binary.edit('org', ['id-1', 'id-4'], (record) => ({ ...record, tags }));
          await insert(recordedFrame(`more-${n}`, { more: 0.95 }, { timeRequested: (n % 4) * quarter }));
          if (n % 3 === 0) await store().binary.delete('org', [`more-${n}`, 'id-0', 'id-3']);
        }
      };
      const reads = async (): Promise<void> => {
        for (let n = 0; n < 20; n++) {
          const scores = (await seen()).flatMap(([, ...found]) => found.map(([, score]) => score));
          expect(scores.filter((score) => lasting.has(score)).toSorted()).toEqual([...lasting]);
        }
      };
      await Promise.all([writes(), reads(), reads()]);
      expect(await seen()).toHaveLength(4 + 13);
    });

    it('stop between pieces when the signal says so, and when nobody takes more', async () => {
      await insert(...manyFrames);
      const stop = new AbortController();
      const pieces = store().results.scan(resultFilter(), 'detections', stop.signal)[Symbol.asyncIterator]();
      expect((await pieces.next()).value.timesMs).toHaveLength(3);
      stop.abort(new Error('enough'));
      await expect(pieces.next()).rejects.toThrow('enough');
      for await (const piece of store().results.scan(resultFilter(), 'detections', aborted(false))) {
        expect(piece.timesMs[0]).toBe(0);
        break;
      }
      expect(await seen()).toEqual(asSeen);
    });

    it('have the origins of all recorded frames that are there', async () => {
      await insert(
        recordedFrame('a', {}),
        recordedFrame('b', {}, { componentName: 'gate', partId: 'p', partName: 'gate-main', locationId: 'yard' }),
        recordedFrame('c', {}, { organizationId: 'other', componentName: 'theirs' }),
        recordedFrame('d', {}, { internal: true, componentName: 'hidden' }),
        binaryRecord('e', { componentName: 'cam' }),
      );
      const origins = await store().results.origins('org');
      const named = origins.map(({ locationId, robotName, partId, partName, componentName }) =>
        [locationId, robotName, partId, partName, componentName].join(),
      );
      expect([...new Set(named)].sort()).toEqual(['loc,rover,part,rover-main,watch', 'yard,rover,p,gate-main,gate']);
      expect(await store().results.origins('nobody')).toEqual([]);
    });
  });
}
