import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { DatasetType } from '../../../../../gen/app/dataset/v1/dataset_pb.ts';
import {
  TagsFilterType,
  type BinaryMetadata,
  type BoundingBoxSchema,
  type Filter,
} from '../../../../../gen/app/data/v1/data_pb.ts';
import { DataType, type UploadMetadataSchema } from '../../../../../gen/app/datasync/v1/data_sync_pb.ts';
import { usualThreshold } from '../../../../../machine/config/face/recorder.ts';
import type { SampleKind, StillPort } from '../../../../../platform/ports/frame-source.ts';
import { singleFlight } from '../../../../../base/schedule/single-flight.ts';
import type { DataHost, DataSamples } from '../../../context/data-host.ts';
import { sampleTag } from '../../../context/sample-tag.ts';
import { sampleKindFor, sampleTruth } from './sample-truth.ts';

/** The datasets, by what is on their photographs. */
export const sampleSetNames = {
  faces: 'Sample photographs',
  things: 'Sample photographs of things',
} as const satisfies Record<SampleKind, string>;
/** marks the captures of a model's results on the photographs */
const recordingTag = 'sample-recording';
/** the camera and method that are stored as the origin of the photographs */
const cameraOf = (kind: SampleKind) => ({
  resourceName: kind === 'faces' ? 'samples' : 'samples-of-things',
  methodName: 'GetImages',
});
/** between the capture times of two photographs */
const stepMs = 1000;

interface SampleSources extends Pick<StillPort, 'builtin'> {
  /** what the bench's model can find; null: there is no model, or it has no labels */
  readonly modelLabels: () => Promise<readonly string[] | null>;
}

/**
 * The set of photographs, of two, on which the bench's model finds something.
 * @param now ms since 1970
 */
export function sampleSet(
  { client: { data, datasets, sync }, home, runModel }: Pick<DataHost, 'client' | 'home' | 'runModel'>,
  { builtin, modelLabels }: SampleSources,
  now = Date.now,
): DataSamples {
  const { organizationId, partId } = home;
  const kindNow = async (): Promise<SampleKind> => sampleKindFor(await modelLabels());
  const find = async (kind: SampleKind): Promise<string | undefined> => {
    const { datasets: all } = await datasets.listDatasetsByOrganizationID({
      organizationId,
      type: DatasetType.BINARY_DATA,
    });
    return all.find(({ name }) => name === sampleSetNames[kind])?.id;
  };
  const tagged = async (
    tag: string,
    among: Partial<Pick<Filter, 'datasetId' | 'partId' | 'method'>>,
  ): Promise<readonly BinaryMetadata[]> => {
    const tagsFilter = { type: TagsFilterType.MATCH_BY_OR, tags: [tag] };
    const filter = { organizationIds: [organizationId], ...among, tagsFilter };
    const { data: found } = await data.binaryDataByFilter({ dataRequest: { filter, limit: 100n } });
    return found.flatMap(({ metadata }) => metadata ?? []);
  };
  const stored = (datasetId: string) => tagged(sampleTag, { datasetId });
  const recorded = () => tagged(recordingTag, { partId, method: 'CaptureAllFromCamera' });
  const sequencesOfSamples = async () => {
    const { sequences } = await data.listSequences({ organizationId, pageSize: 200 });
    return sequences.filter(({ sequenceTags }) => sequenceTags.includes(sampleTag));
  };
  /** `timeMs`: its capture time, since 1970 */
  const store = async (
    picture: Blob,
    bboxes: readonly MessageInitShape<typeof BoundingBoxSchema>[],
    timeMs: number,
    of: MessageInitShape<typeof UploadMetadataSchema>,
  ): Promise<void> => {
    const time = timestampFromMs(timeMs);
    await sync.dataCaptureUpload({
      metadata: { partId, mimeType: picture.type, type: DataType.BINARY_SENSOR, fileExtension: '.jpg', ...of },
      sensorContents: [
        {
          metadata: { timeRequested: time, timeReceived: time, annotations: { bboxes: [...bboxes] } },
          data: { case: 'binary', value: new Uint8Array(await picture.arrayBuffer()) },
        },
      ],
    });
  };
  const addOf = async (kind: SampleKind): Promise<string> => {
    const known = await find(kind);
    // Some are there if the page was left while they were stored.
    const storedNames = new Set(known && (await stored(known)).map(({ fileName }) => `builtin/${fileName}`));
    const missing = (await builtin(kind)).filter(({ name }) => !storedNames.has(name));
    // All are fetched before anything is stored.
    const pictures = await Promise.all(missing.map(async ({ name, blob }) => ({ name, picture: await blob() })));
    const id = known ?? (await datasets.createDataset({ name: sampleSetNames[kind], organizationId })).id;
    const startedMs = now();
    const camera = cameraOf(kind);
    for (const [index, { name, picture }] of pictures.entries()) {
      await store(picture, sampleTruth(kind, name), startedMs - (pictures.length - index) * stepMs, {
        componentType: 'rdk:component:camera',
        componentName: camera.resourceName,
        methodName: camera.methodName,
        fileName: name.replace('builtin/', ''),
        tags: [sampleTag],
        datasetIds: [id],
      });
    }
    return id;
  };
  const add = singleFlight(async (): Promise<string> => addOf(await kindNow()));
  const addSequence = singleFlight(async (): Promise<string> => {
    const kind = await kindNow();
    const camera = cameraOf(kind);
    const images = await stored(await addOf(kind));
    const known = (await sequencesOfSamples()).find(({ resources }) =>
      resources.some(({ resourceName }) => resourceName === camera.resourceName),
    );
    if (known) return known.id;
    const times = images.flatMap(({ timeRequested }) => (timeRequested ? [timestampMs(timeRequested)] : []));
    const { id } = await data.createSequence({
      partId,
      resources: [camera],
      sequenceTags: [sampleTag],
      startTime: timestampFromMs(Math.min(...times)),
      endTime: timestampFromMs(Math.max(...times) + stepMs),
    });
    return id;
  });
  const addRecording = singleFlight(async (): Promise<void> => {
    const photographs = await builtin(await kindNow());
    const startedMs = now();
    for (const [index, { name, blob }] of photographs.entries()) {
      const picture = await blob();
      const { by, boxes } = await runModel(picture, name, usualThreshold);
      const bboxes = boxes.map(({ confidence, ...box }) => ({ ...box, ...(confidence !== null && { confidence }) }));
      await store(picture, bboxes, startedMs - (photographs.length - index) * stepMs, {
        componentType: 'rdk:service:vision',
        componentName: by,
        methodName: 'CaptureAllFromCamera',
        tags: [recordingTag],
      });
    }
  });
  return {
    add,
    addSequence,
    addRecording,
    isRecorded: async () => (await recorded()).length > 0,
    async remove() {
      for (const { id } of await sequencesOfSamples()) await data.deleteSequence({ id });
      const found = [await find('faces'), await find('things')].filter((id) => id !== undefined);
      const images = [...(await Promise.all(found.map(stored))).flat(), ...(await recorded())];
      if (images.length > 0)
        await data.deleteBinaryDataByIDs({ binaryDataIds: images.map(({ binaryDataId }) => binaryDataId) });
      for (const id of found) await datasets.deleteDataset({ id });
    },
  };
}
