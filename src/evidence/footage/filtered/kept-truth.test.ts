import { expect, it } from 'vitest';
import { keptByName, keptNear, keptTruth, type CorrectedFrame } from './kept-truth.ts';

const service = (
  objects: Readonly<Record<string, number>>,
  classifications: Readonly<Record<string, number>> = {},
  vision = 'pets',
) => ({ vision, inhibit: false, objects, classifications });

const frame = (name: string, boxes: readonly string[], classes: readonly string[] = []): CorrectedFrame => ({
  name,
  timeMs: 0,
  boxes,
  classes,
});

it('counts for each label the frames that have it, and those of them that are kept', () => {
  const truth = [
    frame('1', ['cat', 'cat']),
    frame('2', ['cat', 'dog']),
    frame('3', ['dog', 'car']),
    frame('4', ['car']),
    frame('5', []),
    frame('6', ['Cat']),
  ];
  const acceptors = [service({ cat: 0.5, dog: 0.5 }), service({ cat: 0.9, bird: 0.5 }, {}, 'others')];
  expect(keptTruth({ acceptors }, truth, ({ name }) => ['2', '4', '5'].includes(name))).toEqual({
    frames: 6,
    lines: [
      { key: 'cat', frames: 2, kept: 1 },
      { key: 'dog', frames: 2, kept: 1 },
      { key: 'bird', frames: 0, kept: 0 },
    ],
    kept: 3,
    keptWithNothing: 2,
  });
});

it('takes any label for `*`, boxes for objects and classes for classifications', () => {
  const truth = [frame('1', ['car']), frame('2', [], ['day']), frame('3', ['day'], []), frame('4', [])];
  const all = () => true;
  expect(keptTruth({ acceptors: [service({ '*': 0.5 })] }, truth, all)).toMatchObject({
    lines: [{ key: '*', frames: 2, kept: 2 }],
    keptWithNothing: 2,
  });
  expect(keptTruth({ acceptors: [service({}, { day: 0.5 })] }, truth, all).lines).toEqual([
    { key: 'day', frames: 1, kept: 1 },
  ]);
  expect(keptTruth({ acceptors: [service({ day: 0.5 }, { day: 0.5 })] }, truth, all).lines).toEqual([
    { key: 'day', frames: 2, kept: 2 },
  ]);
});

it('has no frame with nothing where the camera waits for nothing by name', () => {
  expect(keptTruth({ acceptors: [] }, [frame('1', [])], () => true)).toEqual({
    frames: 1,
    lines: [],
    kept: 1,
    keptWithNothing: 0,
  });
});

const kept = [2000, 500, 9000].map((timeMs) => ({ image: { index: 0, name: `${timeMs}.jpg`, timeMs } }));

it.each([
  [0, true],
  [999, true],
  [1000, true],
  [1001, false],
  [1499, false],
  [1500, true],
  [8499, false],
  [9500, true],
  [9501, false],
])('a frame at %s ms is near images within half a second: %s', (timeMs, isNear) => {
  expect(keptNear(kept, 500)({ ...frame('clip.mp4', []), timeMs })).toBe(isNear);
});

it('has none of no images, and a picture by its name', () => {
  expect(keptNear([], 500)(frame('', []))).toBe(false);
  const isKept = keptByName(kept);
  expect([isKept(frame('500.jpg', [])), isKept(frame('501.jpg', []))]).toEqual([true, false]);
});
