import { expect, it } from 'vitest';
import type { RawImage } from '../../src/platform/ports/raw-image.ts';
import { gatherBoxes } from './gather.ts';
import type { ImageToCount } from './protocol.ts';

const raw = (labels: readonly string[], found: readonly (readonly number[])[], seen: readonly number[] | null = null) =>
  ({
    widthPx: 100,
    heightPx: 50,
    labels,
    labelIndex: Uint32Array.from(found, ([label]) => label!),
    score: Float64Array.from(found, ([, score]) => score!),
    box: Float64Array.from(found.flatMap((row) => row.slice(2))),
    seen: seen && Float64Array.from(seen),
    classes: null,
  }) satisfies RawImage;

const truthBox = (label: string, [xMin, yMin, xMax, yMax]: readonly number[]): ImageToCount['boxes'][number] => ({
  label,
  xMinNormalized: xMin!,
  yMinNormalized: yMin!,
  xMaxNormalized: xMax!,
  yMaxNormalized: yMax!,
});

it('puts labels of model and truth together without case, and boxes into pixels of the image', () => {
  const found = raw(['Cat', 'dog'], [[1, 0.5, 1, 2, 3, 4]]);
  const images = [{ boxes: [truthBox('CAT', [0.1, 0.2, 0.5, 1]), truthBox('hat', [0, 0, 1, 1])], raw: found }];
  const { space, truth, detections, isOfModel } = gatherBoxes(images);
  expect([space, isOfModel]).toEqual([{ imageCount: 1, labels: ['Cat', 'dog', 'hat'] }, [true, true, false]]);
  expect([...truth.label, ...detections.label]).toEqual([0, 2, 1]);
  expect([...truth.box]).toEqual([10, 10, 40, 40, 0, 0, 100, 50]);
  expect([...detections.box, ...detections.score]).toEqual([1, 2, 3, 4, 0.5]);
});

it('takes areas and crowds as the dataset has them, of the part that the camera shows', () => {
  const box = truthBox('cat', [0, 0, 0.6, 1]);
  const boxes = [
    { ...box, areaPx: 7 },
    { ...box, isCrowd: true },
    { ...box, isCrowd: true, areaPx: 12 },
  ];
  const traits = (raw: RawImage) => {
    const { area, crowd } = gatherBoxes([{ boxes, raw }]).truth;
    return [[...area].map((one) => Math.round(one * 1e9) / 1e9), [...crowd]];
  };
  expect(traits(raw([], []))).toEqual([[7, 3000, 12], [0, 1, 1]]); // prettier-ignore
  // Five sixths of it.
  expect(traits(raw([], [], [0, 0, 50, 0, 50, 50, 0, 50]))).toEqual([[5.833333333, 2500, 10], [0, 1, 1]]); // prettier-ignore
});

it('counts truth as far as the camera shows it: cut, ignored, or not at all', () => {
  const leftHalf = raw([], [], [0, 0, 50, 0, 50, 50, 0, 50]);
  const boxes = [
    truthBox('whole', [0, 0, 0.4, 1]),
    truthBox('cut', [0.4, 0, 0.55, 1]),
    truthBox('mostly gone', [0.4, 0, 0.9, 1]),
    truthBox('gone', [0.6, 0, 0.9, 1]),
  ];
  const { truth, space, cutAwayCount } = gatherBoxes([{ boxes, raw: leftHalf }]);
  expect(Array.from(truth.label, (label) => space.labels[label])).toEqual(['whole', 'cut', 'mostly gone']);
  expect([...truth.box.subarray(4, 8)].map(Math.round)).toEqual([40, 0, 10, 50]);
  expect([[...truth.ignore], cutAwayCount]).toEqual([[0, 0, 1], 2]);
});
