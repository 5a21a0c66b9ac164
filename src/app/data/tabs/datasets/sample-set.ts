import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { DatasetType } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import { TagsFilterType, type BinaryMetadata } from '../../../../gen/app/data/v1/data_pb.ts';
import { DataType } from '../../../../gen/app/datasync/v1/data_sync_pb.ts';
import type { StillPort } from '../../../../ports/frame-source.ts';
import { singleFlight } from '../../../../schedule/single-flight.ts';
import type { SampleSet } from '../../../evaluate/ports/sample-set.ts';
import type { DataHost } from '../../context/data-host.ts';

export const sampleSetName = 'Sample photographs';
/** marks the images that `add` stored */
const sampleTag = 'sample-photograph';

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
  { client: { data, datasets, sync }, home }: Pick<DataHost, 'client' | 'home'>,
  stills: Pick<StillPort, 'builtin'>,
  now = Date.now,
): SampleSet {
  const { organizationId, partId } = home;
  const find = async (): Promise<string | undefined> => {
    const { datasets: all } = await datasets.listDatasetsByOrganizationID({
      organizationId,
      type: DatasetType.BINARY_DATA,
    });
    return all.find(({ name }) => name === sampleSetName)?.id;
  };
  const stored = async (datasetId: string): Promise<readonly BinaryMetadata[]> => {
    const tagsFilter = { type: TagsFilterType.MATCH_BY_OR, tags: [sampleTag] };
    const filter = { organizationIds: [organizationId], datasetId, tagsFilter };
    const { data: found } = await data.binaryDataByFilter({ dataRequest: { filter, limit: 100n } });
    return found.flatMap(({ metadata }) => metadata ?? []);
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
      const time = timestampFromMs(startedMs + index); // they are listed in their order
      const annotations = { bboxes: marked.faces.map(boxOf(marked)) };
      await sync.dataCaptureUpload({
        metadata: {
          partId,
          fileName: name.replace('builtin/', ''),
          mimeType: picture.type,
          type: DataType.BINARY_SENSOR,
          tags: [sampleTag],
          datasetIds: [id],
          fileExtension: '.jpg',
        },
        sensorContents: [
          {
            metadata: { timeRequested: time, timeReceived: time, annotations },
            data: { case: 'binary', value: new Uint8Array(await picture.arrayBuffer()) },
          },
        ],
      });
    }
    return id;
  });
  return {
    add,
    async remove() {
      const id = await find();
      if (id === undefined) return;
      await data.deleteBinaryDataByIDs({ binaryDataIds: (await stored(id)).map(({ binaryDataId }) => binaryDataId) });
      await datasets.deleteDataset({ id });
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
