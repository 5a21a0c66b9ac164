import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datasetItem, gathered, listedFile, listEntries } from '../../../tests/dataset-fixture.ts';
import { readAll } from './item/content.ts';
import { DatasetError } from './item/dataset-error.ts';
import { datasetFormats, type DatasetFormat } from './dataset-formats.ts';
import type { DatasetItem, ListedFile } from './item/dataset-item.ts';
import { DatasetReport } from './item/dataset-report.ts';
import { exportDataset } from './export-dataset.ts';
import { isImagePath } from './item/inner-path.ts';
import { importDataset } from './import-dataset.ts';

const originals = ['a.png', 'b.png', 'c.png'].map((fileName, i) =>
  datasetItem({
    fileName,
    split: i === 2 ? 'val' : 'train',
    capturedAt: '2024-05-01T12:34:56Z',
    boxes: [
      { label: `label ${i}`, xMinNormalized: 0.1, yMinNormalized: 0.2, xMaxNormalized: 0.6, yMaxNormalized: 0.7 },
      { label: 'tür', xMinNormalized: 0, yMinNormalized: 0, xMaxNormalized: 1, yMaxNormalized: 1, confidence: 0.5 },
    ],
  }),
);

/** A random damage of a file: bytes are changed, cut off or inserted. */
const damage = fc.record({
  file: fc.nat(),
  at: fc.nat(),
  remove: fc.integer({ min: 0, max: 30 }),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc
      .constantFrom('"', '\n', '\0', '-', '9e999', 'null', '[[', '}', '<a>', '&x;', ': ', '\t')
      .map((text) => new TextEncoder().encode(text)),
  ),
});

async function damaged(
  listed: readonly ListedFile[],
  damages: readonly { file: number; at: number; remove: number; insert: Uint8Array }[],
) {
  const files = await Promise.all(listed.map(async (file) => ({ path: file.path, bytes: await readAll(file, 1e6) })));
  const annotations = files.filter(({ path }) => !isImagePath(path));
  for (const { file, at, remove, insert } of damages) {
    const one = annotations[file % annotations.length]!;
    const start = at % (one.bytes.length + 1);
    one.bytes = Uint8Array.from([...one.bytes.subarray(0, start), ...insert, ...one.bytes.subarray(start + remove)]);
  }
  return files.map(({ path, bytes }) => listedFile(path, bytes));
}

function expectFitForTheDataService({ boxes, contentId, fileName }: DatasetItem): void {
  expect(contentId).not.toBe('');
  expect(fileName).not.toBe('');
  for (const { label, xMinNormalized, yMinNormalized, xMaxNormalized, yMaxNormalized, confidence = 0 } of boxes) {
    expect(label.trim()).not.toBe('');
    expect(0 <= xMinNormalized && xMinNormalized <= xMaxNormalized && xMaxNormalized <= 1).toBe(true);
    expect(0 <= yMinNormalized && yMinNormalized <= yMaxNormalized && yMaxNormalized <= 1).toBe(true);
    expect(0 <= confidence && confidence <= 1).toBe(true);
  }
}

describe.each(Object.keys(datasetFormats) as DatasetFormat[])('a damaged %s', (format) => {
  it('gives what is fit for the data service, or says in words what is wrong', async () => {
    const listed = await listEntries(exportDataset(format, originals, { datasetName: 'd' }));
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        const report = new DatasetReport();
        const files = await damaged(listed, damages);
        try {
          for (const item of await gathered(importDataset(files, { format, report }))) expectFitForTheDataService(item);
        } catch (error) {
          if (!(error instanceof DatasetError)) throw error;
          expect(error.message).toMatch(/\S/);
        }
        for (const { message, file } of report.problems)
          expect(`${file} ${message}`).not.toMatch(/undefined undefined|\[object/);
      }),
      { seed: 20261121, numRuns: 200 },
    );
  });
});
