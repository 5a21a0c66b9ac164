import { expect, it } from 'vitest';
import { pngHeader } from '../../../tests/dataset-fixture.ts';
import { writeDataset } from './write-dataset.ts';

it('counts the pictures whose boxes it turns with them', async () => {
  const pictures = [1, 6, 3].map((orientation, at) => ({
    contentId: `id${at}`,
    fileName: `${at}.png`,
    boxes: [],
    classifications: [],
    tags: [],
    capturedAt: null,
    origin: {},
    split: null,
    bytes: pngHeader(458, 424, orientation) as Uint8Array<ArrayBuffer>,
  }));
  const answers = [pictures, []];
  const request = {
    format: 'coco' as const,
    datasetName: 'a',
    classes: [],
    validatesOnTrain: false,
    target: { kind: 'zip-blob' as const },
    createdAt: '2026-01-01T00:00:00Z',
  };
  const written = await writeDataset(request, async () => answers.shift()!, new AbortController().signal);
  expect([written.imageCount, written.turnedCount]).toEqual([3, 2]);
});
