import type { MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { codeOf, collect, startDataService, startTime, type Clients } from '../../../tests/data-service-fixture.ts';
import { memoryDataStore } from '../../../tests/memory-store/memory-data-store.ts';
import { DataType, type UploadMetadataSchema } from '../../gen/app/datasync/v1/data_sync_pb.ts';
import {
  ReplayService,
  ResultKind,
  type StreamResultsRequestSchema,
} from '../../gen/sightglass/replay/v1/replay_pb.ts';
import { ColumnChunkReader } from '../../evidence/replay/column-chunk.ts';
import type { DataStore } from '../ports/data-store.ts';
import type { Micros } from '../ports/stored-captures.ts';
import { toTimestamp } from '../wire/timestamps.ts';

const corners = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
const scored = (scores: Readonly<Record<string, number>>) =>
  Object.entries(scores).map(([label, confidence]) => ({ label, confidence, ...corners }));

/** Uploads a frame of the service `watch` of the part `lab-part`, as a machine does. */
async function uploadFrame(
  { sync }: Clients,
  at: Micros,
  bboxes: Readonly<Record<string, number>>,
  metadata: MessageInitShape<typeof UploadMetadataSchema> = {},
  classifications: Readonly<Record<string, number>> = {},
): Promise<string> {
  const resource = { componentType: 'rdk:service:vision', componentName: 'watch', methodName: 'CaptureAllFromCamera' };
  const annotations = { bboxes: scored(bboxes), classifications: scored(classifications) };
  const { binaryDataId } = await sync.dataCaptureUpload({
    metadata: { partId: 'lab-part', type: DataType.BINARY_SENSOR, fileExtension: '.jpg', ...resource, ...metadata },
    sensorContents: [
      {
        metadata: { timeRequested: toTimestamp(at), annotations },
        data: { case: 'binary', value: new TextEncoder().encode('pixels') },
      },
    ],
  });
  return binaryDataId;
}

type Request = Omit<
  Extract<MessageInitShape<typeof StreamResultsRequestSchema>, { readonly $typeName?: never }>,
  '$typeName'
>;
const ofWatch: Request = { organizationId: 'a', partId: 'lab-part', serviceName: 'watch' };

/** Each frame as [microseconds from the start of the test, [label, score], …]. */
async function framesOf({ of }: Clients, request: Request = {}) {
  const reader = new ColumnChunkReader();
  const chunks = await collect(of(ReplayService).streamResults({ ...ofWatch, ...request }));
  return chunks.flatMap((chunk) => {
    const { timesMs, starts, labels, scores, names } = reader.read(chunk);
    return Array.from(timesMs, (ms, frame) => {
      const places = Array.from(labels.subarray(starts[frame], starts[frame + 1]), (_, at) => starts[frame]! + at);
      return [Math.round(ms * 1000) - startTime, ...places.map((place) => [names[labels[place]!], scores[place]])];
    });
  });
}

const recordingsOf = async ({ of }: Clients, organizationId = 'a') =>
  (await of(ReplayService).listRecordings({ organizationId })).recordings;

/** A service whose store gives these results. */
function startWith(scan: DataStore['results']['scan']) {
  const store = memoryDataStore({ now: () => startTime });
  return startDataService({ store: { ...store, results: { ...store.results, scan } } });
}

const hour: Micros = 3600 * 1_000_000;

it('gives all frames of a service in the order of their capture, to the microsecond', async () => {
  const { owner, operator } = await startDataService();
  await uploadFrame(owner, startTime + hour, { dog: 0.5, person: 0.25 });
  await uploadFrame(owner, startTime + 1, { person: 0.75 });
  await uploadFrame(owner, startTime + 2 * hour, { cat: 1 });
  await uploadFrame(owner, startTime, {});
  expect(await framesOf(operator)).toEqual([
    [0],
    [1, ['person', 0.75]],
    [hour, ['dog', 0.5], ['person', 0.25]],
    [2 * hour, ['cat', 1]],
  ]);
  const inside = { start: toTimestamp(startTime + 1), end: toTimestamp(startTime + 2 * hour) };
  expect(await framesOf(operator, inside)).toEqual([
    [1, ['person', 0.75]],
    [hour, ['dog', 0.5], ['person', 0.25]],
  ]);
});

it('gives boxes, or what was said of whole frames', async () => {
  const { owner } = await startDataService();
  await uploadFrame(owner, startTime, { dog: 0.5 }, {}, { day: 0.75 });
  expect(await framesOf(owner)).toEqual([[0, ['dog', 0.5]]]);
  expect(await framesOf(owner, { kind: ResultKind.DETECTIONS })).toEqual([[0, ['dog', 0.5]]]);
  expect(await framesOf(owner, { kind: ResultKind.CLASSIFICATIONS })).toEqual([[0, ['day', 0.75]]]);
});

it('gives boxes as they are after an edit, and no frame that is deleted', async () => {
  const { owner } = await startDataService();
  const edited = await uploadFrame(owner, startTime, { dog: 0.5 });
  const deleted = await uploadFrame(owner, startTime + 1, { dog: 0.5 });
  await framesOf(owner);
  const { data } = await owner.data.binaryDataByIDs({ binaryDataIds: [edited] });
  const bboxId = data[0]!.metadata!.annotations!.bboxes[0]!.id;
  await owner.data.updateBoundingBox({ binaryDataId: edited, bboxId, label: 'wolf' });
  await owner.data.addBoundingBoxToImageByID({ binaryDataId: edited, label: 'drawn by hand', ...corners });
  await owner.data.deleteBinaryDataByIDs({ binaryDataIds: [deleted] });
  expect(await framesOf(owner)).toEqual([[0, ['wolf', 0.5]]]);
});

it('sends many frames in messages that are not too large', async () => {
  const scan: DataStore['results']['scan'] = async function* () {
    const frames = 40_000;
    yield {
      timesMs: Float64Array.from({ length: frames }, (_, n) => n),
      starts: Uint32Array.from({ length: frames + 1 }, (_, n) => Math.min(n * 10, 300_000)),
      labels: new Uint32Array(300_000),
      scores: Float64Array.from({ length: 300_000 }, (_, n) => n),
      names: ['dog'],
    };
  };
  const { owner } = await startWith(scan);
  const chunks = await collect(owner.of(ReplayService).streamResults(ofWatch));
  const sizes = chunks.map(({ counts, labels }) => [counts.length / 4, labels.length / 4]);
  expect(sizes).toEqual([
    [13_107, 131_070],
    [13_107, 131_070],
    [13_786, 37_860],
  ]);
  expect(chunks.map(({ newNames }) => newNames)).toEqual([['dog'], [], []]);
  const reader = new ColumnChunkReader();
  const scores = chunks.flatMap((chunk) => [...reader.read(chunk).scores]);
  expect(scores).toEqual(Array.from({ length: 300_000 }, (_, n) => n));
});

it('reads no more of the store when its caller goes away', async () => {
  let ended = false;
  const scan: DataStore['results']['scan'] = async function* (_filter, _kind, signal) {
    try {
      for (let n = 0; ; n++) {
        signal.throwIfAborted();
        yield {
          timesMs: Float64Array.of(n),
          starts: new Uint32Array(2),
          labels: new Uint32Array(),
          scores: new Float64Array(),
          names: [],
        };
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      ended = true;
    }
  };
  const { owner } = await startWith(scan);
  const stop = new AbortController();
  const stream = owner.of(ReplayService).streamResults(ofWatch, { signal: stop.signal })[Symbol.asyncIterator]();
  await stream.next();
  stop.abort();
  expect(await codeOf(stream.next())).toBe('Canceled');
  await expect.poll(() => ended).toBe(true);
});

it('lists the services of which frames are stored', async () => {
  const { owner, operator } = await startDataService();
  await uploadFrame(owner, startTime + 5, { dog: 0.5 });
  await uploadFrame(owner, startTime - 5, {}, {}, { day: 0.5 });
  await uploadFrame(owner, startTime, {}, { componentName: 'gate' });
  await uploadFrame(owner, startTime, { dog: 1 }, { partId: 'yard-part' });
  await uploadFrame(owner, startTime, {}, { componentName: 'cam', methodName: 'ReadImage' });
  const gone = await uploadFrame(owner, startTime, {}, { componentName: 'gone' });
  await owner.data.deleteBinaryDataByIDs({ binaryDataIds: [gone] });
  const found = await recordingsOf(operator);
  expect(found.map(({ partName, serviceName, frameCount }) => [partName, serviceName, frameCount])).toEqual([
    ['lab main', 'gate', 1n],
    ['lab main', 'watch', 2n],
    ['yard main', 'watch', 1n],
  ]);
  expect(found[1]).toMatchObject({
    partId: 'lab-part',
    robotName: 'lab robot',
    locationId: 'lab',
    first: toTimestamp(startTime - 5),
    last: toTimestamp(startTime + 5),
    kinds: [ResultKind.DETECTIONS, ResultKind.CLASSIFICATIONS],
  });
  expect(found[0]!.kinds).toEqual([]);
});

it('tells a key of one location of that location alone', async () => {
  const { owner, local } = await startDataService();
  await uploadFrame(owner, startTime, { dog: 0.5 });
  await uploadFrame(owner, startTime, { cat: 0.5 }, { partId: 'yard-part' });
  expect((await recordingsOf(local)).map(({ partId }) => partId)).toEqual(['yard-part']);
  expect(await framesOf(local)).toEqual([]);
  expect(await framesOf(local, { partId: 'yard-part' })).toEqual([[0, ['cat', 0.5]]]);
});

it('tells strangers nothing, and says which part and service to name', async () => {
  const { owner, stranger, anonymous } = await startDataService();
  await uploadFrame(owner, startTime, { dog: 0.5 });
  const refusal = (clients: Clients, request: Request) => codeOf(framesOf(clients, request));
  expect(await refusal(stranger, {})).toBe('PermissionDenied');
  expect(await framesOf(stranger, { organizationId: 'b' })).toEqual([]);
  expect(await recordingsOf(stranger, 'b')).toEqual([]);
  expect(await refusal(anonymous, {})).toBe('Unauthenticated');
  expect(await refusal(owner, { organizationId: '' })).toBe('InvalidArgument');
  expect(await refusal(owner, { partId: '' })).toBe('InvalidArgument');
  expect(await refusal(owner, { serviceName: ' ' })).toBe('InvalidArgument');
  expect(await codeOf(recordingsOf(stranger))).toBe('PermissionDenied');
});
