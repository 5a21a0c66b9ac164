import { describe, expect, it } from 'vitest';
import { create } from '@bufbuild/protobuf';
import { pngHeader } from '../dataset-fixture.ts';
import { openDataTab } from '../data-tab-fixture.ts';
import { memoryStorage } from '../memory-storage.ts';
import { DatasetReader } from '../../workers/datasets/engine/dataset-reader.ts';
import type { DatasetClient } from '../../workers/datasets/client.ts';
import { DataCaptureUploadRequestSchema, DataType } from '../../src/gen/app/datasync/v1/data_sync_pb.ts';
import { Order } from '../../src/gen/app/data/v1/data_pb.ts';
import { DatasetImport } from '../../src/app/data/tabs/datasets/imports/dataset-import.svelte.ts';

const boxAt = (label: string, x: number) => ({
  label,
  xMinNormalized: x,
  yMinNormalized: 0.25,
  xMaxNormalized: x + 0.25,
  yMaxNormalized: 0.75,
});

/** A service with stored 100×50 images that have these boxes, and an import into it. */
async function openStored(images: Readonly<Record<string, readonly ReturnType<typeof boxAt>[]>>, orientation = 1) {
  const { context, said } = await openDataTab();
  for (const [fileName, bboxes] of Object.entries(images)) {
    await context.sync.dataCaptureUpload(
      create(DataCaptureUploadRequestSchema, {
        metadata: { partId: context.home.partId, fileName, mimeType: 'image/png', type: DataType.BINARY_SENSOR },
        sensorContents: [
          {
            metadata: { annotations: { bboxes: bboxes.map((box) => ({ ...box })) } },
            data: { case: 'binary', value: pngHeader(100, 50, orientation) },
          },
        ],
      }),
    );
  }
  const run = new DatasetImport(context, new DatasetReader() as unknown as DatasetClient, memoryStorage());
  return {
    context,
    said,
    run,
    drop: (files: Readonly<Record<string, string>>) =>
      run.openFiles(Object.entries(files).map(([path, text]) => ({ path, file: new File([text], path) }))),
    async boxes() {
      const dataRequest = { filter: { organizationIds: ['a'] }, sortOrder: Order.ASCENDING };
      const { data } = await context.data.binaryDataByFilter({ dataRequest });
      return Object.fromEntries(
        data.map(({ metadata }) => [
          metadata!.fileName,
          metadata!.annotations!.bboxes.map(({ label, xMinNormalized }) => `${label} ${xMinNormalized}`).sort(),
        ]),
      );
    },
  };
}

const csv = [
  'filename,class,xmin,ymin,xmax,ymax',
  'a.png,cat,0,12.5,25,37.5',
  'b.png,cat,50,12.5,75,37.5',
  'none.png,cat,0,0,10,10',
].join('\n');
const options = { splitsAsTags: true, knownBoxes: 'keep' as const };
const dogThere = { 'a.png': [], 'b.png': [boxAt('dog', 0)] };

describe('annotations that come without pictures', () => {
  it('are shown before anything is written, with what matches and what has boxes', async () => {
    const { run, drop, boxes, said } = await openStored(dogThere);
    await drop({ 'boxes.csv': csv });
    expect(run.step.kind).toBe('preview');
    expect(run.preview).toMatchObject({
      imageCount: 2,
      join: { matched: { name: 2 }, unmatched: ['none.png'], ambiguous: [], storedCount: 2, withBoxes: 1 },
    });
    expect(said).toEqual(['2 stored images with 2 boxes can be annotated.']);
    expect(await boxes()).toEqual({ 'a.png': [], 'b.png': ['dog 0'] });
  });

  it.each([
    ['keep', ['dog 0'], 1],
    ['add', ['cat 0.5', 'dog 0'], 0],
    ['replace', ['cat 0.5'], 0],
  ] as const)('%s boxes that are there, and are undone', async (knownBoxes, expected, keptCount) => {
    const { run, drop, boxes, said } = await openStored(dogThere);
    await drop({ 'boxes.csv': csv });
    await run.start('none', { ...options, knownBoxes });
    expect(await boxes()).toEqual({ 'a.png': ['cat 0'], 'b.png': expected });
    expect(run.step).toMatchObject({ kind: 'done', isJoin: true, counts: { hereCount: 2, keptCount, failures: [] } });
    await run.undo();
    expect(await boxes()).toEqual({ 'a.png': [], 'b.png': ['dog 0'] });
    expect(run.step).toEqual({ kind: 'undone', failure: '' });
    expect(said.slice(-2)).toEqual(['2 images annotated.', 'The images are as they were.']);
  });

  it('give no box twice', async () => {
    const { run, drop, boxes } = await openStored({ 'a.png': [] });
    for (const knownBoxes of ['add', 'replace', 'add'] as const) {
      await drop({ 'boxes.csv': csv });
      await run.start('none', { ...options, knownBoxes });
    }
    expect(await boxes()).toEqual({ 'a.png': ['cat 0'] });
  });

  it('bring splits as tags and a new dataset, which go again with undo', async () => {
    const { run, drop, context } = await openStored({ 'a.png': [] });
    await drop({ 'boxes.csv': 'filename,class,xmin,ymin,xmax,ymax,split\na.png,cat,0,0,50,50,val' });
    await run.start({ newName: 'Cats' }, options);
    const look = async () => {
      const { datasets } = await context.datasets.listDatasetsByOrganizationID({ organizationId: 'a' });
      const { data } = await context.data.binaryDataByFilter({ dataRequest: { filter: { organizationIds: ['a'] } } });
      const { captureMetadata, datasetIds } = data[0]!.metadata!;
      return [datasets.map(({ name }) => name), captureMetadata!.tags.includes('val'), datasetIds.length];
    };
    expect(await look()).toEqual([['Cats'], true, 1]);
    await run.undo();
    expect(await look()).toEqual([[], false, 0]);
  });

  it('look among the images of one dataset, where that decides between two of a name', async () => {
    const { run, drop, boxes, context } = await openStored({ 'x/a.png': [], 'y/a.png': [] });
    await drop({ 'boxes.csv': csv });
    expect(run.preview).toMatchObject({ imageCount: 0, join: { ambiguous: [{ name: 'a.png', count: 2 }] } });
    const { data } = await context.data.binaryDataByFilter({ dataRequest: { filter: { organizationIds: ['a'] } } });
    const { id } = await context.datasets.createDataset({ name: 'One', organizationId: 'a' });
    const chosen = data.find(({ metadata }) => metadata!.fileName === 'y/a.png')!.metadata!.binaryDataId;
    await context.data.addBinaryDataToDatasetByIDs({ binaryDataIds: [chosen], datasetId: id });
    await run.lookAmong(id);
    expect(run.preview?.join).toMatchObject({ matched: { name: 1 }, ambiguous: [], storedCount: 1 });
    await run.start('none', options);
    expect(await boxes()).toEqual({ 'x/a.png': [], 'y/a.png': ['cat 0'] });
  });

  it('put boxes of the upright picture where the stored one has them', async () => {
    const { run, drop, boxes } = await openStored({ 'a.png': [] }, 6);
    await drop({ 'boxes.csv': 'filename,class,xmin,ymin,xmax,ymax\na.png,cat,0,50,25,100' });
    await run.start('none', options);
    expect(await boxes()).toEqual({ 'a.png': ['cat 0.5'] });
  });

  it('are read once YOLO labels are told the names of their classes', async () => {
    const { run, drop, boxes } = await openStored({ 'a.png': [] });
    await drop({ 'a.txt': '1 0.5 0.5 0.5 0.5\n' });
    expect(run.opened?.findings.lacksClassNames).toBe(true);
    await run.nameClasses(['cat', 'dog']);
    expect(run.preview).toMatchObject({ format: 'yolo', imageCount: 1 });
    await run.start('none', options);
    expect(await boxes()).toEqual({ 'a.png': ['dog 0.25'] });
  });

  it('name an image that was deleted meanwhile', async () => {
    const { run, drop, context } = await openStored({ 'a.png': [], 'b.png': [] });
    await drop({ 'boxes.csv': csv });
    const { data } = await context.data.binaryDataByFilter({
      dataRequest: { filter: { organizationIds: ['a'] }, sortOrder: Order.ASCENDING },
    });
    await context.data.deleteBinaryDataByIDs({ binaryDataIds: [data[0]!.metadata!.binaryDataId] });
    await run.start('none', options);
    expect(run.step).toMatchObject({
      counts: { hereCount: 1, failures: [{ fileName: 'a.png', message: 'The image was deleted meanwhile.' }] },
    });
  });
});
