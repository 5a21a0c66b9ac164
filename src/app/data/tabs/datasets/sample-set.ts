import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { DatasetType } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import {
  TagsFilterType,
  type BinaryMetadata,
  type BoundingBoxSchema,
  type Filter,
} from '../../../../gen/app/data/v1/data_pb.ts';
import { DataType, type UploadMetadataSchema } from '../../../../gen/app/datasync/v1/data_sync_pb.ts';
import { usualThreshold } from '../../../../machine/config/recorder.ts';
import type { StillPort } from '../../../../platform/ports/frame-source.ts';
import { singleFlight } from '../../../../base/schedule/single-flight.ts';
import type { DataHost, DataSamples } from '../../context/data-host.ts';
import { sampleTag } from '../../context/sample-tag.ts';

export const sampleSetName = 'Sample photographs';
/** marks the captures of a model's results on the photographs */
const recordingTag = 'sample-recording';
/** the camera and method that are stored as the origin of the photographs */
const camera = { resourceName: 'samples', methodName: 'GetImages' };
/** between the capture times of two photographs */
const stepMs = 1000;

type Face = readonly [xMin: number, yMin: number, xMax: number, yMax: number];

interface MarkedPhotograph {
  /** of the photograph, px; all are 1920 px wide */
  readonly heightPx: number;
  /** px, from the brows to the chin and from cheek to cheek */
  readonly faces: readonly Face[];
}

/** The faces of the sample photographs, by their names. They were drawn by eye, not taken from a detector. */
const photographs: Readonly<Record<string, MarkedPhotograph>> = {
  'builtin/sample1.jpg': {
    heightPx: 1280,
    faces: [
      [417, 405, 605, 598],
      [826, 460, 1030, 655],
      [1468, 235, 1660, 442],
    ],
  },
  'builtin/sample2.jpg': {
    heightPx: 1367,
    faces: [
      [362, 200, 540, 420],
      [893, 300, 1068, 452],
      [1438, 215, 1650, 388],
    ],
  },
  'builtin/sample3.jpg': {
    heightPx: 1350,
    faces: [
      [594, 392, 788, 597],
      [1074, 282, 1300, 500],
      [1505, 376, 1690, 578],
    ],
  },
  'builtin/sample4.jpg': {
    heightPx: 1448,
    faces: [
      [278, 270, 415, 432],
      [662, 118, 842, 307],
      [992, 250, 1170, 418],
      [1279, 198, 1440, 400],
    ],
  },
  'builtin/sample5.jpg': {
    heightPx: 1398,
    faces: [
      [610, 470, 770, 680],
      [776, 165, 950, 334],
      [1109, 268, 1280, 446],
      [1408, 462, 1592, 672],
      [396, 945, 555, 1182],
    ],
  },
  'builtin/sample6.jpg': {
    heightPx: 1537,
    faces: [
      [250, 560, 470, 760],
      [668, 402, 840, 638],
      [1176, 400, 1366, 580],
      [1495, 325, 1705, 567],
    ],
  },
};
const widthPx = 1920;

/** @param now ms since 1970 */
export function sampleSet(
  { client: { data, datasets, sync }, home, runModel }: Pick<DataHost, 'client' | 'home' | 'runModel'>,
  stills: Pick<StillPort, 'builtin'>,
  now = Date.now,
): DataSamples {
  const { organizationId, partId } = home;
  const find = async (): Promise<string | undefined> => {
    const { datasets: all } = await datasets.listDatasetsByOrganizationID({
      organizationId,
      type: DatasetType.BINARY_DATA,
    });
    return all.find(({ name }) => name === sampleSetName)?.id;
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
  const sequencesOfSamples = async (): Promise<readonly string[]> => {
    const { sequences } = await data.listSequences({ organizationId, pageSize: 200 });
    return sequences.flatMap(({ id, sequenceTags }) => (sequenceTags.includes(sampleTag) ? [id] : []));
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
  const add = singleFlight(async (): Promise<string> => {
    const known = await find();
    // Some are there if the page was left while they were stored.
    const storedNames = new Set(known && (await stored(known)).map(({ fileName }) => `builtin/${fileName}`));
    const missing = (await stills.builtin()).filter(({ name }) => !storedNames.has(name));
    // All are fetched before anything is stored.
    const pictures = await Promise.all(missing.map(async ({ name, blob }) => ({ name, picture: await blob() })));
    const id = known ?? (await datasets.createDataset({ name: sampleSetName, organizationId })).id;
    const startedMs = now();
    for (const [index, { name, picture }] of pictures.entries()) {
      const marked = photographs[name];
      if (!marked) throw new Error(`The faces in ${name} are not known.`);
      const bboxes = marked.faces.map(boxOf(marked));
      await store(picture, bboxes, startedMs - (pictures.length - index) * stepMs, {
        componentType: 'rdk:component:camera',
        componentName: camera.resourceName,
        methodName: camera.methodName,
        fileName: name.replace('builtin/', ''),
        tags: [sampleTag],
        datasetIds: [id],
      });
    }
    return id;
  });
  const addSequence = singleFlight(async (): Promise<string> => {
    const images = await stored(await add());
    const [known] = await sequencesOfSamples();
    if (known) return known;
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
    const photographs = await stills.builtin();
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
      for (const id of await sequencesOfSamples()) await data.deleteSequence({ id });
      const id = await find();
      const images = [...(id === undefined ? [] : await stored(id)), ...(await recorded())];
      if (images.length > 0)
        await data.deleteBinaryDataByIDs({ binaryDataIds: images.map(({ binaryDataId }) => binaryDataId) });
      if (id !== undefined) await datasets.deleteDataset({ id });
    },
  };
}

const boxOf =
  ({ heightPx }: MarkedPhotograph) =>
  ([xMin, yMin, xMax, yMax]: Face) => ({
    label: 'face',
    xMinNormalized: xMin / widthPx,
    yMinNormalized: yMin / heightPx,
    xMaxNormalized: xMax / widthPx,
    yMaxNormalized: yMax / heightPx,
  });
