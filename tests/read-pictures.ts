import { expect } from 'vitest';
import { folderOfFiles, gathered } from './dataset-fixture.ts';
import type { ImportFormat } from '../src/evidence/datasets/dataset-formats.ts';
import { DatasetReport } from '../src/evidence/datasets/item/dataset-report.ts';
import { detectFormats, importDataset } from '../src/evidence/datasets/import-dataset.ts';

export type Files = Parameters<typeof folderOfFiles>[0];

/** Imports files with pictures of 100×50 px. Returns each picture as its name, split, boxes in pixels, classes and tags. */
export async function readPictures(files: Files, format: ImportFormat) {
  const listed = folderOfFiles(files);
  const report = new DatasetReport();
  const { found } = await detectFormats(listed);
  expect(found[0]?.format).toBe(format);
  const items = await gathered(importDataset(listed, { report }));
  const pictures = items.map(({ fileName, split, boxes, classifications, tags }) => [
    fileName,
    split,
    boxes.map((box) => {
      const corners = [
        box.xMinNormalized * 100,
        box.yMinNormalized * 50,
        box.xMaxNormalized * 100,
        box.yMaxNormalized * 50,
      ];
      return [
        box.label,
        ...corners.map((corner) => Math.round(corner * 100) / 100),
        ...(box.confidence === undefined ? [] : [box.confidence]),
      ];
    }),
    ...classifications.map(({ label }) => `is ${label}`),
    ...tags.map((tag) => `# ${tag}`),
  ]);
  const errors = report.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
  const lost = Object.fromEntries(report.lost.map(({ kind, count }) => [kind, count]));
  return { pictures, errors, lost, classes: report.classes.map(({ label }) => label), report };
}
