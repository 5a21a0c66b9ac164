import { expect, it } from 'vitest';
import { readDriftReference, writeDriftReference, type DriftReference } from './drift-reference.ts';
import { sameCameras } from './same-cameras.ts';

const reference: DriftReference = {
  name: 'Line 2 in May',
  keptAt: '2026-05-04T08:00:00Z',
  frames: [
    { id: 'a', name: 'a.jpg', group: 'sequence walk', statistics: { brightness: 0.4, contrast: 0.2, sharpness: 310 }, boxes: [{ label: 'cup', area: 0.25, score: null }, { label: 'cup', area: 0.1, score: 0.75 }] },
    { id: 'b', name: 'b.jpg', group: '', statistics: null, boxes: [] },
  ],
  images: { sha256: 'ab', cameras: ['yard', null] },
  answeredBy: 'cd',
}; // prettier-ignore

const written = (change: (file: Record<string, unknown>) => void): string => {
  const file = JSON.parse(writeDriftReference(reference)) as Record<string, unknown>;
  change(file);
  return JSON.stringify(file);
};

it('reads back what it wrote', () => {
  expect(readDriftReference(writeDriftReference(reference))).toEqual(reference);
});

it('reads a reference of a version that did not tell its images apart', () => {
  expect(readDriftReference(written((file) => delete file['images'])).images).toBeNull();
  expect(readDriftReference(written((file) => delete file['answeredBy'])).answeredBy).toBeNull();
});

it.each([
  ['{"frames": [', 'not JSON'],
  ['[]', 'The file is [], not an object'],
  [written((file) => (file['format'] = 'coco')), 'its "format" is "coco"'],
  [written((file) => (file['version'] = 2)), 'has version 2; this Sightglass reads version 1'],
  [written((file) => delete file['name']), 'lacks "name"'],
  [written((file) => (file['images'] = { sha256: 'ab', cameras: [1] })), 'lacks "sha256" or "cameras"'],
  [written((file) => (file['answeredBy'] = 1)), '"answeredBy" of the reference is 1'],
  [written((file) => (file['frames'] = [{}])), 'Frame 1 of the reference lacks "id"'],
  [written((file) => (file['frames'] = [{ id: 'a', name: '', group: '', statistics: { brightness: 'x' }, boxes: [] }])), 'has "x" where a number is wanted'],
  [writeDriftReference(reference).replace('0.75', '1e999'), 'has null where a number is wanted'],
  [written((file) => (file['frames'] = [{ id: 'a', name: '', group: '', statistics: null, boxes: [{ area: 1 }] }])), 'a box without a label'],
])('refuses %s', (text, why) => {
  expect(() => readDriftReference(text)).toThrow(why);
}); // prettier-ignore

it.each<[readonly (string | null)[], readonly (string | null)[], boolean | null]>([
  [['yard'], ['yard'], true],
  [['yard', 'gate'], ['gate', 'yard'], true],
  [['yard'], ['gate'], false],
  [['yard'], ['yard', 'gate'], false],
  [['yard', 'gate'], ['yard'], false],
  [['yard'], ['gate', null], false],
  [['yard', null], ['yard', 'gate'], null],
  [['yard'], [null], null],
  [[null], [null], null],
])('says of cameras %j and %j whether they are the same', (reference, later, same) => {
  expect(sameCameras(reference, later)).toBe(same);
});
