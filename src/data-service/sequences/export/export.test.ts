import { unzipSync } from 'fflate';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  codeOf,
  collect,
  startDataService,
  uploadPicture,
  uploadReading,
  type TestService,
} from '../../../../tests/data-service-fixture.ts';
import { DatasetType, SequenceDatasetExportStatus } from '../../../gen/app/dataset/v1/dataset_pb.ts';
import { download, isDownload } from '../../downloads/download.ts';
import { toTimestamp } from '../../wire/timestamps.ts';
import { parquetFile, textElement } from '../../../base/row-files/parquet-file.ts';

const start = 1_800_000_000_000_001;
let service: TestService;
let datasetId = '';
beforeEach(async () => {
  service = await startDataService();
  const clips = { organizationId: 'a', name: 'clips', type: DatasetType.SEQUENCE_DATA };
  datasetId = (await service.operator.datasets.createDataset(clips)).id;
});

async function addSequence(resources: object[], tags: string[] = []): Promise<string> {
  service.time.now += 1_000_000;
  const window = { startTime: toTimestamp(start), endTime: toTimestamp(start + 1_000_000) };
  const request = { partId: 'lab-part', resources, sequenceTags: tags, ...window };
  const { id } = await service.operator.data.createSequence(request);
  await service.operator.data.addSequencesToDataset({ datasetId, sequenceIds: [id] });
  return id;
}

const startJob = async () => (await service.operator.datasets.startSequenceDatasetExport({ datasetId })).jobId;
const jobOf = (jobId: string) => service.operator.datasets.getSequenceDatasetExport({ jobId });

async function fetched(url: string, method = 'GET', signal = new AbortController().signal) {
  const pathAndQuery = url.slice('https://data.example'.length);
  expect(isDownload(pathAndQuery.split('?')[0]!)).toBe(true);
  const authenticate = () => Promise.reject(new Error('A signed URL needs no key.'));
  const request = { method, pathAndQuery, header: new Headers(), destination: '', signal };
  const { status, header, body } = await download({ ...service.dependencies, authenticate }, request);
  return { status, header, bytes: body && joined(await collect(body)) };
}

const joined = (chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
};

async function filesOf(zip: Uint8Array) {
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    const file = bytes.slice().buffer;
    expect(Number((await parquetMetadataAsync(file)).num_rows)).toBeGreaterThanOrEqual(0);
    rows[name] = await parquetReadObjects({ file });
  }
  return rows;
}

const camera = { resourceName: 'front', methodName: 'GetImages' };
const scale = { resourceName: 'scale', methodName: 'Readings' };

describe('an export of a dataset of sequences', () => {
  it('has its images, readings and sequences, a Parquet file each', async () => {
    const both = await addSequence([camera, scale], ['good', 'é']);
    const images = await addSequence([camera]);
    const metadata = { componentName: 'front', methodName: 'GetImages', fileExtension: '.jpg' };
    const picture = await uploadPicture(service.owner, metadata, start);
    const corners = { xMinNormalized: 0.25, yMinNormalized: 0.5, xMaxNormalized: 0.75, yMaxNormalized: 1 };
    await service.owner.data.addBoundingBoxToImageByID({ binaryDataId: picture, label: 'cup', ...corners });
    const surer = { binaryDataId: picture, label: 'mug', ...corners, confidence: 0.125 };
    await service.owner.data.addBoundingBoxToImageByID(surer);
    await uploadReading(service.owner, { kg: 1.5, unit: 'kg' }, start + 1_000_000);

    const job = await jobOf(await startJob());
    expect(job).toMatchObject({ status: SequenceDatasetExportStatus.COMPLETED, errorMessage: '' });
    expect(job.expiresAt!.seconds).toBe(BigInt(service.time.now / 1e6 + 3600));
    const { status, header, bytes } = await fetched(job.downloadUrl);
    expect([status, header.get('content-disposition')]).toEqual([200, `attachment; filename="${datasetId}.zip"`]);
    const files = await filesOf(bytes!);
    expect(Object.keys(files)).toEqual(['binary_data.parquet', 'tabular_data.parquet', 'sequences.parquet']);
    const box = { label: 'cup', confidence: null, x_min: 0.25, y_min: 0.5, x_max: 0.75, y_max: 1 };
    const image = {
      timestamp: new Date(start / 1000),
      part_id: 'lab-part',
      component_name: 'front',
      method_name: 'GetImages',
      path: `binary_data/${picture}.jpg`,
      classifications: [],
      bounding_boxes: [box, { ...box, label: 'mug', confidence: 0.125 }],
    };
    expect(files['binary_data.parquet']).toEqual([
      { sequence_id: images, ...image },
      { sequence_id: both, ...image },
    ]);
    expect(files['tabular_data.parquet']).toEqual([
      {
        sequence_id: both,
        timestamp: new Date((start + 1_000_000) / 1000),
        part_id: 'lab-part',
        component_name: 'scale',
        method_name: 'Readings',
        payload: '{"readings":{"kg":1.5,"unit":"kg"}}',
      },
    ]);
    const window = { start_at: new Date(start / 1000), end_at: new Date((start + 1_000_000) / 1000) };
    expect(files['sequences.parquet']).toEqual([
      { sequence_id: images, tags: [], ...window },
      { sequence_id: both, tags: ['good', 'é'], ...window },
    ]);
  });

  it('has the readings of all resources in order, reads few of large ones at a time, and says no least text', async () => {
    const other = { resourceName: 'gripper', methodName: 'Readings' };
    await addSequence([scale, other]);
    const text = 'x'.repeat(3e6);
    for (let n = 0; n < 12; n++) {
      const origin = n % 3 === 0 ? { componentName: 'gripper' } : {};
      await uploadReading(service.owner, { n, text }, start + n, origin);
    }
    const { tabular } = service.dependencies.store;
    const sizes: number[] = [];
    const page = tabular.page.bind(tabular);
    vi.spyOn(tabular, 'page').mockImplementation(async (scan) => {
      const rows = await page(scan);
      sizes.push(rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
      return rows;
    });
    const { bytes } = await fetched((await jobOf(await startJob())).downloadUrl);
    expect(Math.max(...sizes)).toBeLessThan(8e6);
    const file = unzipSync(bytes!)['tabular_data.parquet']!.slice().buffer;
    const rows = await parquetReadObjects({ file, columns: ['payload'] });
    expect(
      rows.map(({ payload }) => (JSON.parse(payload as string) as { readings: { n: number } }).readings.n),
    ).toEqual(Array.from({ length: 12 }, (_, n) => n));
    const { row_groups: groups } = await parquetMetadataAsync(file);
    const told = groups.map(({ columns }) => columns.map(({ meta_data }) => meta_data!.statistics !== undefined));
    expect(told).toEqual(groups.map(() => [true, true, true, true, true, false]));
  });

  it('is not made any further once nobody waits for it', async () => {
    await addSequence([scale]);
    await uploadReading(service.owner, { kg: 1 }, start);
    const gone = new AbortController();
    gone.abort(new Error('gone'));
    const { downloadUrl } = await jobOf(await startJob());
    await expect(fetched(downloadUrl, 'GET', gone.signal)).rejects.toThrow('gone');
  });

  it('of an empty dataset has three files without rows', async () => {
    const { bytes } = await fetched((await jobOf(await startJob())).downloadUrl);
    expect(Object.values(await filesOf(bytes!))).toEqual([[], [], []]);
  });

  it('is asked for without its bytes', async () => {
    expect(await fetched((await jobOf(await startJob())).downloadUrl, 'HEAD')).toMatchObject({
      status: 200,
      bytes: null,
    });
  });

  it('has failed when its dataset is deleted, and its links lead nowhere', async () => {
    const jobId = await startJob();
    const { downloadUrl } = await jobOf(jobId);
    await service.operator.datasets.deleteDataset({ id: datasetId });
    expect(await jobOf(jobId)).toMatchObject({
      status: SequenceDatasetExportStatus.FAILED,
      downloadUrl: '',
      errorMessage: expect.stringContaining(datasetId),
    });
    expect((await fetched(downloadUrl)).status).toBe(404);
  });

  it('is given out by no link that was changed, or has expired, or whose key was revoked', async () => {
    const { downloadUrl } = await jobOf(await startJob());
    const statusOf = async (url: string) => (await fetched(url)).status;
    expect(await statusOf(downloadUrl.replace('/exports/a/', '/exports/b/'))).toBe(403);
    expect(await statusOf(downloadUrl.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(403);
    expect(await statusOf(downloadUrl.replace(/expires=\d/, 'expires=9'))).toBe(403);
    service.time.now += 3_601_000_000;
    expect(await statusOf(downloadUrl)).toBe(410);
    const fresh = (await jobOf(await startJob())).downloadUrl;
    await service.dependencies.store.access.deleteKey(service.keys.operator.id);
    expect(await statusOf(fresh)).toBe(410);
  });

  it.each([
    ['no dataset', 'InvalidArgument', () => service.operator.datasets.startSequenceDatasetExport({})],
    ['an unknown dataset', 'NotFound', () => service.operator.datasets.startSequenceDatasetExport({ datasetId: 'x' })],
    ['no job', 'InvalidArgument', () => jobOf('')],
    ['no such job', 'NotFound', () => jobOf('x')],
    ['a changed job', 'NotFound', async () => jobOf(`${(await startJob()).slice(0, -3)}AAA`)],
    [
      'another organization’s job',
      'NotFound',
      async () => service.stranger.datasets.getSequenceDatasetExport({ jobId: await startJob() }),
    ],
    [
      'a dataset of files',
      'InvalidArgument',
      async () => {
        const { id } = await service.operator.datasets.createDataset({ organizationId: 'a', name: 'pictures' });
        return service.operator.datasets.startSequenceDatasetExport({ datasetId: id });
      },
    ],
  ])('is refused of %s', async (_, code, call) => {
    expect(await codeOf(call())).toBe(code);
  });
});

describe('a Parquet file', () => {
  it('is written a row group at a time, of so many rows and so much text', async () => {
    const columns = [
      { elements: [textElement('t')], valueOf: (row: string) => row, sizeOf: ({ length }: string) => length },
    ];
    const large = 'x'.repeat(3 * 2 ** 20);
    async function* rows() {
      for (let n = 0; n < 10_001; n++) yield `row ${n}`;
      for (let n = 0; n < 4; n++) yield large;
    }
    const file = joined(await collect(parquetFile(columns, rows()))).buffer;
    const { row_groups: groups } = await parquetMetadataAsync(file);
    expect(groups.map((group) => Number(group.num_rows))).toEqual([10_000, 4, 1]);
    const read = await parquetReadObjects({ file });
    expect([read.length, read[0], read[10_000], read.at(-1)!['t'] === large]).toEqual([
      10_005,
      { t: 'row 0' },
      { t: 'row 10000' },
      true,
    ]);
  });
});
