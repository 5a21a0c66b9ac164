import { expect, it } from 'vitest';
import { seededNumbers, shuffled } from '../evaluation/intervals/seeded-numbers.ts';
import { compareFrames, type DriftReport } from './compare-frames.ts';
import { falseDiscoveryLevels } from '../evaluation/intervals/false-discovery.ts';
import type { FrameFeatures } from './frame-features.ts';
import { numberDistance, permutationTest } from './two-sample-test.ts';

const next = seededNumbers(11);
const random = (): number => next() / 2 ** 32;
const labels = ['cup', 'cup', 'fork', 'plate'];

/** Frames whose boxes are alike within a frame, as those of real frames are. */
const frames = (count: number, prefix = 'frame'): FrameFeatures[] =>
  Array.from({ length: count }, (_, at) => {
    const [size, score] = [random(), random()];
    return {
      id: `${prefix} ${at}`,
      name: `${prefix} ${at}.jpg`,
      group: '',
      statistics: { brightness: random(), contrast: random() / 2, sharpness: 500 * random() },
      boxes: Array.from({ length: Math.floor(6 * random()) }, () => ({
        label: labels[Math.floor(random() * labels.length)]!,
        area: (size + random()) / 4,
        score: (score + random()) / 2,
      })),
    };
  });

const alarmed = ({ shifts }: DriftReport): readonly string[] =>
  shifts.filter(({ isShift }) => isShift).map(({ feature }) => feature);
const options = { permutations: 199 };

it('raises false alarms at the stated level on halves of one set', () => {
  const all = frames(60);
  let alarms = 0;
  const trials = 150;
  for (let trial = 0; trial < trials; trial++) {
    const order = Array.from(shuffled(all.length, 100 + trial), (at) => all[at]!);
    const halves = { reference: order.slice(0, 30), later: order.slice(30) };
    if (alarmed(compareFrames(halves, { ...options, level: 0.2, seed: trial })).length > 0) alarms++;
  }
  // 20 % of 150 are 30, give or take 5 (one standard deviation); a test that never alarms is no test either.
  expect(alarms).toBeLessThanOrEqual(42);
  expect(alarms).toBeGreaterThanOrEqual(8);
});

it.each<[string, readonly string[], (frame: FrameFeatures) => FrameFeatures]>([
  ['darker', ['brightness'], (frame) => ({ ...frame, statistics: { ...frame.statistics!, brightness: 0.3 * frame.statistics!.brightness } })],
  ['blurred', ['sharpness'], (frame) => ({ ...frame, statistics: { ...frame.statistics!, sharpness: 0.2 * frame.statistics!.sharpness } })],
  ['without forks', ['labels'], (frame) => ({ ...frame, boxes: frame.boxes.map((box) => ({ ...box, label: box.label === 'fork' ? 'cup' : box.label })) })],
  ['with smaller boxes', ['area'], (frame) => ({ ...frame, boxes: frame.boxes.map((box) => ({ ...box, area: box.area / 3 })) })],
  ['with lower scores', ['score'], (frame) => ({ ...frame, boxes: frame.boxes.map((box) => ({ ...box, score: box.score! / 2 })) })],
  ['with twice the boxes', ['boxes'], (frame) => ({ ...frame, boxes: [...frame.boxes, ...frame.boxes] })],
])('finds frames %s, and nothing else', (_, found, change) => {
  const later = frames(60, 'later').map(change);
  expect(alarmed(compareFrames({ reference: frames(60), later }, options))).toEqual(found);
}); // prettier-ignore

it.each([20, 80])('says of %s frames a side how much darker the later ones would have to be to be found', (count) => {
  const sides = { reference: frames(count), later: frames(count, 'later') };
  const darker = (by: number) => ({
    ...sides,
    later: sides.later.map(({ statistics, ...frame }) => ({
      ...frame,
      statistics: { ...statistics!, brightness: statistics!.brightness - by },
    })),
  });
  const least = compareFrames(sides).leastDarkening!;
  // The brightnesses lie between 0 and 1, spread evenly.
  expect(least).toBeGreaterThan(0.05);
  expect(least).toBeLessThan(count === 20 ? 0.6 : 0.3);
  expect(alarmed(compareFrames(darker(1.15 * least)))).toEqual(['brightness']);
  expect(alarmed(compareFrames(darker(0.85 * least)))).toEqual([]);
  expect(compareFrames(darker(1.15 * least)).leastDarkening).toBeNull();
});

it('says no such thing of frames that are not scanned, and where even black would not be found', () => {
  const blind = frames(20).map((frame) => ({ ...frame, statistics: null }));
  expect(compareFrames({ reference: blind, later: frames(20) }).leastDarkening).toBeNull();
  const sides = { reference: frames(20), later: frames(20, 'later') };
  const strict = compareFrames(sides, { level: 0.01 });
  expect([strict.canTell, strict.leastDarkening]).toEqual([true, null]);
});

it('opens the frames that drive a shift: the darkest later ones, and references of a label that is gone', () => {
  const reference = frames(40);
  const later = frames(40, 'later').map((frame, at) => ({
    ...frame,
    statistics: { ...frame.statistics!, brightness: at < 20 ? 0.0001 * (20 - at) : frame.statistics!.brightness },
    boxes: frame.boxes.filter(({ label }) => label !== 'fork'),
  }));
  const { shifts } = compareFrames({ reference, later }, options);
  const dark = shifts.find(({ feature }) => feature === 'brightness')!;
  expect(dark.frames[0]).toEqual({ id: 'later 19', name: 'later 19.jpg', side: 'later', value: 0.0001, label: null });
  expect(dark.frames.slice(0, 20).map(({ value }) => value)).toEqual(
    Array.from({ length: 20 }, (_, at) => expect.closeTo(0.0001 * (at + 1), 9)),
  );
  const gone = shifts.find(({ feature }) => feature === 'labels')!.frames;
  const forks = (id: string) => reference.find((frame) => frame.id === id)!.boxes.filter((box) => box.label === 'fork');
  expect(gone.length).toBeGreaterThan(5);
  for (const { id, side, value, label } of gone)
    expect([side, label, value]).toEqual(['reference', 'fork', forks(id).length]);
});

it('ranks shifts by their size, before what did not shift', () => {
  const later = frames(60, 'later').map((frame) => ({
    ...frame,
    statistics: { ...frame.statistics!, brightness: 2, sharpness: 0.5 * frame.statistics!.sharpness },
  }));
  const { shifts } = compareFrames({ reference: frames(60), later }, options);
  expect(shifts.slice(0, 2).map(({ feature, isShift }) => [feature, isShift])).toEqual([
    ['brightness', true],
    ['sharpness', true],
  ]);
  const rest = shifts.slice(2).map(({ effect }) => effect);
  expect(rest).toEqual(rest.toSorted((a, b) => b - a));
});

it('counts the frames of a sequence as one, so that one odd video is no shift', () => {
  // Each video has its own light: 5 videos of 12 frames a side.
  const side = (prefix: string, group: (video: number) => string): FrameFeatures[] =>
    [0, 1, 2, 3, 4].flatMap((video) => {
      const light = prefix === 'a' ? [0.1, 0.15, 0.2, 0.5, 0.9][video]! : [0.3, 0.45, 0.55, 0.65, 0.8][video]!;
      return frames(12, `${prefix}${video}`).map((frame) => ({
        ...frame,
        group: group(video),
        statistics: { ...frame.statistics!, brightness: light + 0.01 * random() },
      }));
    });
  const own = compareFrames({ reference: side('a', String), later: side('b', (of) => `b${of}`) }, options);
  expect([own.referenceUnits, own.laterUnits, alarmed(own)]).toEqual([5, 5, []]);
  const single = () => '';
  expect(alarmed(compareFrames({ reference: side('a', single), later: side('b', single) }, options))).toContain(
    'brightness',
  );
});

it('says that so few units cannot tell, and which features one side lacks', () => {
  const unscanned = frames(40, 'later').map((frame) => ({ ...frame, group: 'one video', statistics: null }));
  const few = { reference: frames(5), later: unscanned, answeredBy: { reference: 'a', later: 'a' } };
  const { canTell, untested, laterUnits } = compareFrames(few, options);
  expect([canTell, untested, laterUnits]).toEqual([false, ['brightness', 'contrast', 'sharpness'], 1]);
  expect(compareFrames({ reference: frames(40), later: frames(40) }, { ...options }).canTell).toBe(true);
});

it('cannot tell by so few exchanges, and then says of no darkening that it would be found', () => {
  const sides = { reference: frames(40), later: frames(40, 'later') };
  const { canTell, leastDarkening } = compareFrames(sides, { permutations: 49 });
  expect([canTell, leastDarkening]).toEqual([false, null]);
});

it('takes a sequence with frames on both sides for a unit of each', () => {
  const one = (prefix: string) => frames(10, prefix).map((frame) => ({ ...frame, group: 'walk' }));
  const { referenceUnits, laterUnits } = compareFrames({ reference: one('reference'), later: one('later') }, options);
  expect([referenceUnits, laterUnits]).toEqual([1, 1]);
});

it('compares no numbers of boxes with frames that nothing annotated', () => {
  const bare = frames(40, 'later').map((frame) => ({ ...frame, boxes: [] }));
  for (const sides of [
    { reference: frames(40), later: bare },
    { reference: bare, later: frames(40) },
  ]) {
    const report = compareFrames(sides, options);
    expect([alarmed(report), report.untested]).toEqual([[], ['boxes', 'area', 'score', 'labels']]);
  }
});

it('counts equal values once, at their end, and is exact where all assignments are counted by hand', () => {
  // Reference 1 1 2, later 2 3 3: at 1 the shares differ by 2/3, at 2 by 2/3, at 3 by 0.
  const value = Float64Array.of(1, 1, 2, 2, 3, 3);
  const unit = Uint32Array.of(0, 1, 2, 3, 4, 5);
  const distance = numberDistance({ value, unit });
  const said = distance(Uint8Array.of(0, 0, 0, 1, 1, 1));
  expect(said.effect).toBeCloseTo(2 / 3, 12);
  expect([said.at, said.isLaterMore]).toEqual([1, true]);
  expect(said.statistic).toBeCloseTo(((2 * 4 + 2 * 4) / 9) * (9 / 36), 12);
  // In 4 of the 20 assignments the sides are as far apart: either 2 is the reference's, and both sides may change places.
  const { pValue } = permutationTest(distance, { unitCount: 6, referenceUnits: 3 }, 19_999, 3);
  expect(pValue).toBeCloseTo(4 / 20, 2);
});

it('adjusts p-values as R does', () => {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.5), "BH")
  const adjusted = falseDiscoveryLevels([0.01, 0.04, 0.03, 0.005, 0.5]);
  for (const [at, expected] of [0.025, 0.05, 0.05, 0.025, 0.5].entries())
    expect(adjusted[at]).toBeCloseTo(expected, 12);
});

/** What a service found is compared of all frames. */
const byOne = { reference: 'a service', later: 'a service' };
const pictures = ['brightness', 'contrast', 'sharpness'];

it('takes a side without any box for one that nobody annotated, unless one service answered both', () => {
  const without = frames(60, 'later').map((frame) => ({ ...frame, boxes: [] }));
  const sides = { reference: frames(60), later: without };
  expect(compareFrames(sides, options).untested).toContain('boxes');
  expect(alarmed(compareFrames({ ...sides, answeredBy: byOne }, options))).toEqual(['boxes']);
});

/** Every frame has the given number of boxes. */
const boxedFrames = (count: number, prefix: string, boxes: number, score: number | null) =>
  frames(count, prefix).map((frame) => ({
    ...frame,
    boxes: Array.from({ length: boxes }, (_, at) => ({ label: 'cup', area: 0.1 + 0.1 * random() + 0.01 * at, score })),
  }));
const unboxed = (all: readonly FrameFeatures[], from: number): readonly FrameFeatures[] =>
  all.map((frame, at) => (at < from ? frame : { ...frame, boxes: [] }));

it('compares boxes of annotated frames only, and none where these are less than half of a side', () => {
  const reference = boxedFrames(40, 'reference', 2, null);
  const partly = unboxed(boxedFrames(40, 'later', 2, null), 20);
  const half = compareFrames({ reference, later: partly }, options);
  expect([alarmed(half), half.untested]).toEqual([[], ['score']]);
  const few = unboxed(partly, 19);
  const less = compareFrames({ reference, later: few }, options);
  expect([alarmed(less), less.untested]).toEqual([[], ['boxes', 'area', 'score', 'labels']]);
  // Boxes that are as they were stored tell nothing of a frame without one.
  const asStored = { reference: null, later: null };
  expect(compareFrames({ reference, later: partly, answeredBy: asStored }, options)).toEqual(half);
  // A service that answered every frame found less in half of them.
  expect(alarmed(compareFrames({ reference, later: partly, answeredBy: byOne }, options))).toContain('boxes');
});

const [drawn, answered] = [null, 0.5];

it.each<[string, number | null, object, number]>([
  ['a person drew those of one side', drawn, {}, 30],
  ['another service answered', answered, { answeredBy: { ...byOne, later: 'another' } }, 30],
  ['a service answered one side', answered, { answeredBy: { ...byOne, reference: null } }, 30],
  ['too few frames have some', answered, {}, 2],
])('compares pictures only where %s', (_, score, more, annotated) => {
  const side = (prefix: string, ...of: [number, number | null]) =>
    unboxed(boxedFrames(Math.min(30, 2 * annotated), prefix, ...of), annotated);
  const sides = { reference: side('a', 2, score), later: side('b', 5, answered), ...more };
  const { shifts, untested } = compareFrames(sides, options);
  expect(untested).toEqual(['boxes', 'area', 'score', 'labels']);
  expect(shifts.map(({ feature }) => feature).sort()).toEqual(pictures);
});

it('can tell where it told', () => {
  // Four units a side give at best 2 of 70, too much for six features, but not where all of them shift.
  const side = (prefix: string, by: number) =>
    boxedFrames(4, prefix, 1 + by, null).map((frame, at) => ({
      ...frame,
      statistics: { brightness: by + at / 100, contrast: by + at / 100, sharpness: by + at / 100 },
      boxes: frame.boxes.map((box) => ({ ...box, label: String(by), area: by / 4 + at / 100 })),
    }));
  const report = compareFrames({ reference: side('a', 0), later: side('b', 1), answeredBy: byOne }, options);
  expect([alarmed(report).length, report.canTell]).toEqual([report.shifts.length, true]);
  expect(compareFrames({ reference: side('a', 0), later: side('b', 0), answeredBy: byOne }, options).canTell).toBe(
    false,
  );
});
