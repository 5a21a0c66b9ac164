import { anyPack, timestampFromMs, ValueSchema } from '@bufbuild/protobuf/wkt';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { collect, startDataService, type Clients } from '../../../tests/data-service-fixture.ts';
import {
  bytes,
  captureStream,
  contentPacket,
  dataPacket,
  fileStream,
  metadataPacket,
  picture,
  storedFiles,
} from '../../../tests/upload-packets.ts';
import {
  DataType,
  type SensorMetadataSchema,
  type UploadMetadataSchema,
} from '../../gen/app/datasync/v1/data_sync_pb.ts';

type Said = MessageInitShape<typeof UploadMetadataSchema>;
type SensorSaid = MessageInitShape<typeof SensorMetadataSchema>;

const times = { timeRequested: timestampFromMs(1_000), timeReceived: timestampFromMs(1_250) };
const value = (text: string) =>
  anyPack(ValueSchema, create(ValueSchema, { kind: { case: 'stringValue', value: text } }));
const sensor = { partId: 'lab-part', type: DataType.TABULAR_SENSOR, componentName: 'scale', methodName: 'Readings' };

const sendPicture = ({ sync }: Clients, more: Said = {}, about: SensorSaid = times, content = 'pixels') =>
  sync.dataCaptureUpload({
    metadata: { ...picture, ...more },
    sensorContents: [{ metadata: about, data: { case: 'binary', value: bytes(content) } }],
  });
const sendReadings = ({ sync }: Clients, payloads: readonly object[] = [{ kg: 1, at: 'door' }]) =>
  sync.dataCaptureUpload({
    metadata: sensor,
    sensorContents: payloads.map((readings, index) => ({
      metadata: { ...times, timeReceived: timestampFromMs(2_000 + index) },
      data: { case: 'struct', value: { readings: { ...readings } } },
    })),
  });
const stored = async (clients: Clients) =>
  (await storedFiles(clients)).length + (await clients.data.tabularDataByFilter({})).data.length;

// A machine's data manager gives no upload ids, and sends again what it got no answer for.
describe('a capture that is sent again without an upload id', () => {
  it.each<[string, (clients: Clients, call: 'first' | 'again') => Promise<{ fileId: string }>]>([
    ['a picture', (clients) => sendPicture(clients)],
    [
      'a picture whose parameters come in another order',
      (clients, call) => {
        const [one, two] = [{ mime_type: value('image/png') }, { of: value('v') }];
        return sendPicture(clients, { methodParameters: call === 'first' ? { ...one, ...two } : { ...two, ...one } });
      },
    ],
    ['readings', (clients) => sendReadings(clients)],
    [
      'readings whose fields come in another order',
      (clients, call) => sendReadings(clients, [call === 'first' ? { kg: 1, at: 'x' } : { at: 'x', kg: 1 }]),
    ],
    [
      'a picture in chunks',
      ({ sync }, call) => {
        const chunks = call === 'first' ? ['pix', 'els'] : ['pixels'];
        const about = { uploadMetadata: picture, sensorMetadata: times };
        return sync.streamingDataCaptureUpload(captureStream(metadataPacket(about), ...chunks.map(dataPacket)));
      },
    ],
    [
      'a file that has both of its times',
      ({ sync }) => {
        const about = { fileCreateTime: times.timeRequested, fileModifyTime: times.timeReceived };
        const metadata = { partId: 'lab-part', type: DataType.FILE, fileName: '/data/notes.txt', ...about };
        return sync.fileUpload(fileStream(metadataPacket(metadata), contentPacket('text')));
      },
    ],
  ])('is stored once: %s', async (_, send) => {
    const { owner, dependencies } = await startDataService();
    const first = await send(owner, 'first');
    expect(await send(owner, 'again')).toEqual(first);
    expect(await stored(owner)).toBe(1);
    expect((await collect(dependencies.store.blobs.list())).length).toBe((await storedFiles(owner)).length);
  });

  it('is answered with whether it was there', async () => {
    const { owner } = await startDataService();
    const said: (string | null)[] = [];
    const onHeader = (answer: Headers) => said.push(answer.get('sightglass-stored'));
    const about = { uploadMetadata: picture, sensorMetadata: times };
    for (const _ of ['first', 'again'])
      await owner.sync.streamingDataCaptureUpload(captureStream(metadataPacket(about), dataPacket('x')), { onHeader });
    expect(said).toEqual(['now', 'before']);
  });

  it('is stored once when it arrives twice at a time', async () => {
    const { owner, dependencies } = await startDataService();
    const answers = await Promise.all([1, 2, 3].map(() => sendPicture(owner)));
    expect(new Set(answers.map(({ binaryDataId }) => binaryDataId)).size).toBe(1);
    await Promise.all([1, 2].map(() => sendReadings(owner)));
    expect(await stored(owner)).toBe(2);
    expect(await collect(dependencies.store.blobs.list())).toHaveLength(1);
  });

  it.each<[string, (clients: Clients) => Promise<unknown>]>([
    ['requested later', (clients) => sendPicture(clients, {}, { ...times, timeRequested: timestampFromMs(1_001) })],
    [
      'received a nanosecond later',
      (clients) => sendPicture(clients, {}, { ...times, timeReceived: { ...times.timeReceived, nanos: 250_000_001 } }),
    ],
    ['of other bytes', (clients) => sendPicture(clients, {}, times, 'others')],
    ['of another component', (clients) => sendPicture(clients, { componentName: 'cam-2' })],
    ['with a tag', (clients) => sendPicture(clients, { tags: ['night'] })],
    ['with a parameter', (clients) => sendPicture(clients, { methodParameters: { of: value('v') } })],
    [
      'with a class',
      (clients) => sendPicture(clients, {}, { ...times, annotations: { classifications: [{ label: 'cup' }] } }),
    ],
  ])('is another one: %s', async (_, sendOther) => {
    const { owner } = await startDataService();
    await sendPicture(owner);
    await sendOther(owner);
    expect(await stored(owner)).toBe(2);
  });

  it.each([{ timeRequested: times.timeRequested }, { timeReceived: times.timeReceived }, {}])(
    'is another one where it lacks a time: %o',
    async (about) => {
      const { owner } = await startDataService();
      await sendPicture(owner, {}, about);
      await sendPicture(owner, {}, about);
      expect(await stored(owner)).toBe(2);
    },
  );

  it('is stored again after it was deleted, and once more only', async () => {
    const { owner } = await startDataService();
    for (let round = 0; round < 3; round++) {
      const { binaryDataId } = await sendPicture(owner);
      expect(await sendPicture(owner)).toMatchObject({ binaryDataId });
      expect(await storedFiles(owner)).toHaveLength(1);
      await owner.data.deleteBinaryDataByIDs({ binaryDataIds: [binaryDataId] });
    }
    const payloads = [{ kg: 1 }, { kg: 1 }, { kg: 2 }];
    for (let round = 0; round < 3; round++) {
      await sendReadings(owner, payloads);
      await sendReadings(owner, payloads);
      expect((await owner.data.tabularDataByFilter({})).data).toHaveLength(3);
      await owner.data.deleteTabularData({ organizationId: 'a', deleteOlderThanDays: 0 });
    }
    expect(await stored(owner)).toBe(0);
  });
});
