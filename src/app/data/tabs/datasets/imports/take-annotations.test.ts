import { describe, expect, it } from 'vitest';
import { openDataTab } from '../../../../../../tests/data-tab-fixture.ts';
import { listedFile, pngHeader } from '../../../../../../tests/dataset-fixture.ts';
import type { DatasetClient, DatasetSource } from '../../../../../../workers/datasets/client.ts';
import { detectFormats } from '../../../../../evidence/datasets/import-dataset.ts';
import type { NamedFile } from '../../../../../platform/ports/named-file.ts';
import { takeAnnotations } from './take-annotations.ts';

const coco = JSON.stringify({
  images: [{ id: 1, file_name: 'a.png', width: 100, height: 50 }],
  categories: [{ id: 1, name: 'cup' }],
  annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [1, 2, 3, 4] }],
});
const voc = '<annotation><filename>a.png</filename><object><name>cup</name></object></annotation>';
const boxes = 'filename,class,xmin,ymin,xmax,ymax\na.png,sun,0,0,80,60\n';
const readings = 'time,celsius\n2026-01-01T00:00:00Z,20\n';

/** Files by path: a text, or null for a PNG. */
const named = (files: Readonly<Record<string, string | null>>): NamedFile[] =>
  Object.entries(files).map(([path, text]) => ({
    path,
    file: new File([text ?? (pngHeader(100, 50) as BlobPart)], path.split('/').at(-1)!),
  }));

async function take(files: Readonly<Record<string, string | null>>, tab: 'images' | 'files' = 'images') {
  const { context } = await openDataTab();
  context.place.go(tab);
  const opened: DatasetSource[] = [];
  const listedIn = async (source: DatasetSource) => {
    if (source.kind !== 'files') return [listedFile('annotations/instances.json', coco)];
    return Promise.all(
      source.files.map(async ({ path, file }) => listedFile(path, new Uint8Array(await file.arrayBuffer()))),
    );
  };
  const engine = {
    async open(source: DatasetSource) {
      opened.push(source);
      const listed = await listedIn(source);
      return { number: 1, fileCount: listed.length, pictureCount: 1, findings: await detectFormats(listed) };
    },
    close: async () => undefined,
    read: () => new Promise(() => undefined),
  } as unknown as DatasetClient;
  const openDatasetFiles = async () => ({ engine, pickers: {} as never });
  const others = await takeAnnotations({ ...context, openDatasetFiles } as never, named(files));
  const isTaken = context.place.tab === 'datasets';
  const last = isTaken ? opened.at(-1)! : null;
  const taken = last?.kind === 'files' ? last.files.map(({ path }) => path) : last && [last.kind];
  return { taken, others: others.map(({ path }) => path), rest: context.place.rest };
}

describe('files that are imported', () => {
  it.each([
    ['COCO', { 'a.png': null, 'b.png': null, 'instances.json': coco }],
    ['YOLO', { 'a.png': null, 'a.txt': '0 0.5 0.5 0.1 0.1', 'data.yaml': 'names: [cup]' }],
    ['YOLO without names', { 'images/a.png': null, 'labels/a.txt': '0 0.5 0.5 0.1 0.1' }],
    ['Pascal VOC', { 'a.png': null, 'a.xml': voc }],
    ['CSV of boxes', { 'a.png': null, 'boxes.csv': boxes }],
    ['MOT', { 'w/img1/000001.png': null, 'w/gt/gt.txt': '1,1,10,10,5,5,1,1,1', 'w/seqinfo.ini': '[Sequence]\nname=w' }],
    ['annotations alone', { 'instances.json': coco }],
  ])('are a dataset with its annotations: %s', async (_, files) => {
    expect(await take(files)).toEqual({ taken: Object.keys(files), others: [], rest: '/import' });
  });

  it.each([
    ['pictures', { 'cat/a.png': null, 'dog/b.png': null }],
    ['pictures and words', { 'cat/a.png': null, 'dog/b.png': null, 'notes.txt': 'taken at dusk' }],
    ['pictures and readings', { 'a.png': null, 'readings.csv': readings }],
    ['nothing', {}],
  ])('are no dataset without annotations: %s', async (_, files) => {
    expect(await take(files)).toEqual({ taken: null, others: Object.keys(files), rest: '' });
  });

  it('are stored where they are no part of the dataset that came along', async () => {
    const files = { 'a.png': null, 'instances.json': coco, 'readings.csv': readings, 'scan.pcd': 'VERSION .7' };
    expect(await take(files)).toMatchObject({
      taken: ['a.png', 'instances.json'],
      others: ['readings.csv', 'scan.pcd'],
    });
  });

  it('are a dataset in a zip, unless files as such are what is imported', async () => {
    const zip = { 'kitchen.zip': 'PK' };
    expect(await take(zip)).toMatchObject({ taken: ['zip'], others: [] });
    expect(await take(zip, 'files')).toMatchObject({ taken: null, others: ['kitchen.zip'] });
  });
});
