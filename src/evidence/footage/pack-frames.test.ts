import { expect, it } from 'vitest';
import { classifiedFrame, failedFrame, footageFrame } from '../../../tests/footage-frames.ts';
import { packFrames, pageOf, unpackFrames } from './pack-frames.ts';

const third = Math.fround(1 / 3);
const again = (frames: Parameters<typeof packFrames>[0]) => unpackFrames(structuredClone(packFrames(frames)));

it('gives back every frame as it was: boxes, classes, failures, and none', () => {
  const frames = [
    footageFrame(0, [['cat', third], ['dog', NaN]]), // prettier-ignore
    failedFrame(1),
    footageFrame(2, []),
    classifiedFrame(3, { cat: third, dog: -0 }),
    footageFrame(4, [['dog', 0.5]], { stages: [{ step: -1, widthPx: 100, heightPx: 50, uncut: { widthPx: 101, heightPx: 50 } }] }), // prettier-ignore
    { ...classifiedFrame(5, { cat: 0.5 }), classifications: { labels: ['cat'], score: Float64Array.of(0.5), unlisted: 7 } }, // prettier-ignore
  ];
  expect(again(frames)).toEqual(frames);
  expect(again([])).toEqual([]);
});

it('takes small numbers where they say the same, and large ones where they do not', () => {
  const small = packFrames([footageFrame(0, [['cat', third]])]);
  expect([small.labelIndex, small.score, small.box].map((column) => column.BYTES_PER_ELEMENT)).toEqual([1, 4, 2]);
  const { detections, ...frame } = footageFrame(0, [['cat', 1 / 3]]);
  const wide = [300, 70_000].map((labelIndex) => ({
    ...frame,
    detections: { ...detections!, labelIndex: Uint32Array.of(labelIndex), box: Int32Array.of(0, 0, 40_000, 1) },
  }));
  const { labelIndex, score, box } = packFrames(wide);
  expect([labelIndex, score, box].map((column) => column.BYTES_PER_ELEMENT)).toEqual([4, 8, 4]);
  expect(packFrames(wide.slice(0, 1)).labelIndex.BYTES_PER_ELEMENT).toBe(2);
  expect(again(wide)).toEqual(wide);
});

it('holds lists that frames share once', () => {
  const [a, b] = again([0, 1].map((index) => structuredClone(footageFrame(index, [['cat', 0.5]]))));
  expect(a!.stages).toBe(b!.stages);
  expect(a!.detections!.labels).toBe(b!.detections!.labels);
});

it('counts pages of frames by their numbers', () => {
  expect([0, 255, 256, 511, 512].map(pageOf)).toEqual([0, 0, 1, 1, 2]);
});
