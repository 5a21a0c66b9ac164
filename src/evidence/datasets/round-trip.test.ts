import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datasetItem, gathered, listEntries, pngHeader } from '../../../tests/dataset-fixture.ts';
import { contentOf, readAll } from './item/content.ts';
import { datasetFormats, type DatasetFormat } from './dataset-formats.ts';
import type { DatasetBox, DatasetItem } from './item/dataset-item.ts';
import { DatasetReport } from './item/dataset-report.ts';
import { exportDataset } from './export-dataset.ts';
import { importDataset } from './import-dataset.ts';

const formats = Object.keys(datasetFormats) as DatasetFormat[];

const label = fc.oneof(
  fc.constantFrom(
    'dog',
    'traffic light',
    'a/b\\c',
    'x, "y" & <z>',
    "it's: # no",
    '- yes',
    'null',
    '7',
    'ärger 🐕',
    ' pad ',
    '名前',
    '%d',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ''),
);
const part = fc.double({ min: 0, max: 1, noNaN: true });
const box: fc.Arbitrary<DatasetBox> = fc
  .record({
    label,
    xs: fc.tuple(part, part),
    ys: fc.tuple(part, part),
    confidence: fc.option(part, { nil: undefined }),
  })
  .map(({ label, xs, ys, confidence }) => ({
    label,
    xMinNormalized: Math.min(...xs),
    xMaxNormalized: Math.max(...xs),
    yMinNormalized: Math.min(...ys),
    yMaxNormalized: Math.max(...ys),
    ...(confidence === undefined ? {} : { confidence }),
  }));
const fileName = fc.oneof(
  fc.constantFrom(
    'a.png',
    'A.PNG',
    'a.jpg',
    'b c.png',
    'con.png',
    '../up.png',
    'x:y?.png',
    'frame',
    '.png',
    'dir\\f.png',
  ),
  fc.string({ maxLength: 20 }).map((text) => `${text}.png`),
);
const item: fc.Arbitrary<DatasetItem> = fc
  .record({
    fileName,
    contentId: fc.uuid(),
    widthPx: fc.integer({ min: 1, max: 4000 }),
    heightPx: fc.integer({ min: 1, max: 4000 }),
    knowsSize: fc.boolean(),
    boxes: fc.array(box, { maxLength: 5 }),
    split: fc.constantFrom('train', 'val', 'test', null),
  })
  .map(({ widthPx, heightPx, knowsSize, contentId, ...fields }) =>
    datasetItem({
      ...fields,
      contentId,
      content: contentOf(Uint8Array.from([...pngHeader(widthPx, heightPx), ...new TextEncoder().encode(contentId)])),
      sizePx: knowsSize ? { widthPx, heightPx } : null,
    }),
  );
const items = fc.uniqueArray(item, { minLength: 1, maxLength: 6, selector: ({ contentId }) => contentId });

/** Identifies a picture by an id in its bytes, because exports can change its name. */
async function idInside({ content }: DatasetItem): Promise<string> {
  return new TextDecoder().decode((await readAll(content, 1e6)).subarray(45));
}

function sizeInside(bytes: Uint8Array): [number, number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
}

describe.each(formats)('%s', (format) => {
  it('gives the same boxes within half a pixel after export and import, whatever the labels and names', async () => {
    await fc.assert(
      fc.asyncProperty(items, async (originals) => {
        const exported = await listEntries(exportDataset(format, originals, { datasetName: 'any “name”: yes' }));
        const paths = exported.map(({ path }) => path.toLowerCase());
        expect(new Set(paths).size).toBe(paths.length);
        const report = new DatasetReport();
        const imported = await gathered(importDataset(exported, { report }));
        expect(report.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(imported.length).toBe(originals.length);
        const byId = new Map(await Promise.all(imported.map(async (one) => [await idInside(one), one] as const)));
        for (const original of originals) {
          const back = byId.get(original.contentId)!;
          if (original.split !== null) expect(back.split).toBe(original.split);
          const [widthPx, heightPx] = sizeInside(await readAll(original.content, 1e6));
          expect(back.boxes.map((one) => one.label)).toEqual(original.boxes.map((one) => one.label));
          for (const [i, before] of original.boxes.entries()) {
            const after = back.boxes[i]!;
            for (const [side, sizePx] of [
              ['xMinNormalized', widthPx],
              ['xMaxNormalized', widthPx],
              ['yMinNormalized', heightPx],
              ['yMaxNormalized', heightPx],
            ] as const) {
              expect(Math.abs(after[side] - before[side]) * sizePx).toBeLessThanOrEqual(0.5 + 1e-3);
            }
            if (!datasetFormats[format].keeps.confidence) expect(after.confidence).toBeUndefined();
            else if (before.confidence === undefined) expect(after.confidence).toBeUndefined();
            else expect(after.confidence).toBeCloseTo(before.confidence, 7);
          }
        }
      }),
      { seed: 20261121, numRuns: 150 },
    );
  });

  it('says in the report what it has no place for, exactly where its traits say so', async () => {
    const track = { id: 7, isKey: true, isLast: false };
    const whole = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    const full = datasetItem({
      fileName: 'a1.png',
      split: 'val',
      boxes: [{ label: 'dog', ...whole, confidence: 0.5, areaPx: 7.25, track }],
      crowds: [{ label: 'dog', ...whole, areaPx: 9.5 }],
      sequence: { name: 's', at: 1 },
      classifications: [{ label: 'indoors', confidence: 0.75 }],
      tags: ['night'],
      capturedAt: '2024-05-01T12:34:56.789Z',
      origin: {
        binaryDataId: 'org/loc/7',
        organizationId: 'org',
        locationId: 'loc',
        robotId: 'r',
        partId: 'p',
        componentName: 'cam',
      },
    });
    const report = new DatasetReport();
    const next = datasetItem({
      fileName: 'a2.png',
      split: 'val',
      boxes: [{ label: 'dog', ...whole, track: { ...track, isKey: false } }],
      sequence: { name: 's', at: 2 },
    });
    const exported = await listEntries(exportDataset(format, [full, next], { datasetName: 'd', report }));
    const [back, backNext] = await gathered(importDataset(exported));
    const { keeps } = datasetFormats[format];
    expect(back!.boxes[0]!.confidence).toBe(keeps.confidence ? 0.5 : undefined);
    expect(back!.classifications).toEqual(keeps.classifications ? full.classifications : []);
    expect(back!.tags).toEqual(keeps.tags ? full.tags : []);
    expect(back!.capturedAt).toBe(keeps.capturedAt ? full.capturedAt : null);
    expect(back!.origin).toEqual(keeps.origin ? full.origin : {});
    expect(back!.boxes[0]!.track).toEqual(keeps.tracks ? track : undefined);
    expect(back!.boxes[0]!.areaPx).toBe(keeps.areas ? 7.25 : undefined);
    expect(back!.crowds ?? []).toMatchObject(keeps.crowds ? full.crowds! : []);
    expect(backNext!.boxes[0]!.track).toEqual(keeps.tracks ? next.boxes[0]!.track : undefined);
    expect(report.noteCount).toBe(Object.values(keeps).filter((kept) => !kept).length);
    for (const { message } of report.problems)
      expect(message).toMatch(/^\S.* has no place for [a-z ]+(\(machine, part, component\))?: 1 left out\.$/);
    expect([report.imageCount, report.boxCount]).toEqual([2, 2]);
    const empty = new DatasetReport();
    const plain = [datasetItem({ fileName: 'a.png', split: 'val' }), datasetItem({ fileName: 'b.png', split: 'val' })];
    await listEntries(exportDataset(format, plain, { datasetName: 'd', report: empty }));
    expect(empty.problems).toEqual([]);
  });

  it('numbers labels alike in whatever order pictures come, the given ones first', async () => {
    const of = (fileName: string, label: string) =>
      datasetItem({
        fileName,
        boxes: [{ label, xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 }],
      });
    const forward = [of('a.png', 'dog'), of('b.png', 'cat')];
    const options = { datasetName: 'd', classes: [{ label: 'zebra', id: null }] };
    const texts = await Promise.all(
      [forward, forward.toReversed()].map(async (order) => {
        const listed = await listEntries(exportDataset(format, order, options));
        return Object.fromEntries(
          await Promise.all(listed.map(async (file) => [file.path, [...(await readAll(file, 1e6))].length])),
        );
      }),
    );
    expect(Object.keys(texts[0]!).sort()).toEqual(Object.keys(texts[1]!).sort());
    expect(texts[0]).toEqual(texts[1]);
  });

  it('keeps the order of classes, with those of which there is no box', async () => {
    const whole = { xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1 };
    const items = ['cup', 'apple'].map((label) =>
      datasetItem({ fileName: `${label}.png`, boxes: [{ label, ...whole }], split: label === 'cup' ? 'train' : 'val' }),
    );
    const classes = ['plate', 'cup', 'fork'].map((label, at) => ({ label, id: [90, 3, 14][at]! }));
    const exported = await listEntries(exportDataset(format, items, { datasetName: 'd', classes }));
    const report = new DatasetReport();
    await gathered(importDataset(exported, { report }));
    const listsAll = ['coco', 'yolo', 'cvat-video', 'mot'].includes(format);
    const listed = listsAll ? ['plate', 'cup', 'fork', 'apple'] : ['plate', 'cup', 'fork'];
    expect(report.classes.map(({ label }) => label)).toEqual(listed);
    if (format === 'coco') expect(report.classes.map(({ id }) => id)).toEqual([90, 3, 14, 91]);
  });

  it('names the picture whose bytes do not come', async () => {
    const content = {
      sizeBytes: null,
      async *read(): AsyncGenerator<Uint8Array> {
        throw new Error('404');
      },
    };
    const exporting = listEntries(
      exportDataset(format, [datasetItem({ fileName: 'a.png', content })], { datasetName: 'd' }),
    );
    await expect(exporting).rejects.toMatchObject({ code: 'unreadable-image', message: 'a.png cannot be read: 404' });
  });
});
