import { expect, it } from 'vitest';
import { DetectionSetBuilder, TruthSetBuilder } from '../../../evidence/evaluation/build-sets.ts';
import { seededNumbers } from '../../../evidence/evaluation/intervals/seeded-numbers.ts';
import { matchBoxes } from '../../../evidence/evaluation/match/match-boxes.ts';
import { sweepLabels } from '../../../evidence/evaluation/sweep/label-sweep.ts';
import { metricsAt } from '../../../evidence/evaluation/sweep/metrics-at.ts';
import { isNextTurn, markCorrected, recallOrders } from '../../areas/correction-order.ts';
import type { Compared } from '../comparison/comparison.svelte.ts';
import type { Measured } from '../measure/box-counting.ts';
import { CorrectionQueue } from './correction-queue.svelte.ts';
import { otherOpinion } from './other-opinion.ts';
import { reasonsText } from './worth-words.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** Images with boxes of which some are right; every fifth has many unsure ones. */
function run(count = 30, leftOut: readonly number[] = []) {
  const next = seededNumbers(3);
  const [truth, found] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  const numbers = Array.from({ length: count }, (_, at) => at).filter((at) => !leftOut.includes(at));
  for (let at = 0; at < count; at++) {
    const image = numbers.indexOf(at);
    for (let box = 0; box < (at % 5 === 0 ? 9 : 2); box++) {
      const [score, isThere] = [at % 5 === 0 ? 0.55 : 0.97, next() / 2 ** 32 < 0.7];
      if (image < 0) continue;
      found.add(image, 0, [100 * box, 0, 50, 50], score);
      if (isThere) truth.add(image, 0, [100 * box, 0, 50, 50]);
    }
  }
  const space = { imageCount: numbers.length, labels: ['cup'] };
  const boxes = { space, truth: truth.build(), detections: found.build(), isOfModel: [true], cutAwayCount: 0 };
  const sweeps = sweepLabels(matchBoxes(boxes.truth, boxes.detections, space));
  const images = numbers.map((at) => ({ image: { id: `image ${at}`, name: `${at}.jpg` } }));
  const thresholds = Float64Array.of(0.5);
  const measured = { images, boxes } as unknown as Measured;
  const of = {
    key: () => 'model set',
    setId: () => 'set',
    measured: () => measured,
    sweeps: () => sweeps,
    thresholds: () => thresholds,
    other: () => null,
    leavesBoxesOut: () => false,
  };
  return { of, measured, f1: metricsAt(sweeps, thresholds).total.f1! };
}

function correct(queue: CorrectionQueue, count: number): void {
  for (let done = 0; done < count; done++) queue.confirm(queue.next[0]!.image.id);
}

it('estimates F1 from the eighth correction on', () => {
  const { of, f1 } = run();
  const queue = new CorrectionQueue(of, memory(), () => 5);
  expect([queue.isDrawn, queue.next, queue.estimate]).toEqual([false, [], null]);
  queue.draw();
  expect([queue.isDrawn, queue.count, queue.total]).toEqual([true, 0, 30]);
  correct(queue, 7);
  expect(queue.estimate).toBeNull();
  correct(queue, 1);
  expect(queue.estimate!.low).toBeLessThan(f1);
  expect(queue.estimate!.high).toBeGreaterThan(f1);
  expect(queue.stopped(0.02)).toBeNull();
  const wide = queue.stopped(1)!;
  expect([wide.low <= queue.estimate!.low, wide.high >= queue.estimate!.high]).toEqual([true, true]);
  correct(queue, 22);
  expect(queue.stopped(0.02)).toEqual(queue.estimate);
  expect(queue.next).toEqual([]);
  expect(queue.estimate).toEqual({
    value: expect.closeTo(f1, 9),
    low: expect.closeTo(f1, 9),
    high: expect.closeTo(f1, 9),
  });
  expect(queue.curve.map(({ count }) => count)).toEqual(Array.from({ length: 23 }, (_, at) => at + 8));
});

it('draws unsure images more often among the first: 6 are among 30, so 1.6 of the first 8 if by chance', () => {
  let [seed, unsure] = [0, 0];
  const queue = new CorrectionQueue(run().of, memory(), () => seed++);
  for (let draw = 0; draw < 50; draw++) {
    queue.draw();
    unsure += queue.next.filter(({ worth }) => worth.uncertain > 2).length / 50;
  }
  expect(unsure).toBeGreaterThan(3);
});

it('counts only the beginning of the order: what was corrected out of turn waits', () => {
  const queue = new CorrectionQueue(run().of, memory(), () => 5);
  queue.draw();
  const [first, second, third] = queue.next.map(({ image }) => image.id);
  queue.confirm(third!);
  expect([queue.count, queue.ahead, queue.next[2]!.image.id === third]).toEqual([0, 1, false]);
  queue.confirm(first!);
  queue.confirm(second!);
  expect([queue.count, queue.ahead]).toEqual([3, 0]);
  queue.undo();
  expect([queue.count, queue.ahead, queue.next[0]!.image.id]).toEqual([1, 1, second]);
});

it('outlasts the page, takes what the box editor marked, and leaves out deleted images', () => {
  const kept = memory();
  const before = new CorrectionQueue(run().of, kept, () => 5);
  before.draw();
  const [first, second] = before.next.map(({ image }) => image.id);
  markCorrected(kept, before.orderId!, first!);
  markCorrected(kept, before.orderId!, first!);
  markCorrected(kept, 'another order', second!);
  const after = new CorrectionQueue(run().of, kept);
  expect([after.count, after.next[0]!.image.id]).toEqual([1, second]);
  const without = new CorrectionQueue(run(30, [Number(second!.split(' ')[1])]).of, kept);
  expect([without.total, without.count]).toEqual([29, 1]);
  expect(without.next[0]!.image.id).not.toBe(second);
  // What others wrote there is no order.
  kept.setItem('sightglass:correction-orders', JSON.stringify([{ id: '5', key: 'model set', setId: 'set', turns: [{ id: 'a', worth: 0, lot: 1 }], corrected: [] }, null])); // prettier-ignore
  expect(recallOrders(kept)).toEqual([]);
});

it('marks images in the order of the model that it was drawn for, and takes over what another tab marked', () => {
  const kept = memory();
  const { of } = run();
  const queue = new CorrectionQueue(of, kept, () => 5);
  queue.draw();
  const other = new CorrectionQueue({ ...of, key: () => 'other model set' }, kept, () => 6);
  other.draw();
  const [first, second] = queue.next.map(({ image }) => image.id);
  markCorrected(kept, queue.orderId!, first!);
  expect(recallOrders(kept).map(({ id, corrected }) => [id, corrected])).toEqual([
    ['5', [first]],
    ['6', []],
  ]);
  queue.confirm(second!);
  expect([queue.count, other.count]).toEqual([2, 0]);
  queue.draw();
  expect(recallOrders(kept)[0]).toMatchObject({ id: '5', corrected: [first, second] });
});

it('estimates nothing where boxes that a model made are left out of corrected images', () => {
  const queue = new CorrectionQueue({ ...run().of, leavesBoxesOut: () => true }, memory(), () => 5);
  queue.draw();
  correct(queue, 10);
  expect([queue.count, queue.estimate, queue.curve]).toEqual([10, null, []]);
});

it('tells of images that came later, which have no turn', () => {
  const kept = memory();
  const queue = new CorrectionQueue(run(30, [4, 7]).of, kept, () => 5);
  expect(queue.late).toBe(0);
  queue.draw();
  expect([queue.late, queue.total]).toEqual([0, 28]);
  const after = new CorrectionQueue(run().of, kept);
  expect([after.late, after.total]).toEqual([2, 28]);
  // F1 is of those that have a turn.
  correct(after, 28);
  expect(after.estimate!.value).toBeCloseTo(run(30, [4, 7]).f1, 9);
  after.draw();
  expect([after.late, after.total]).toEqual([0, 30]);
});

it('takes an image as corrected where the next one follows, and not by a leap', () => {
  const ids = ['a', 'b', 'c'];
  expect([['a', 'b'], ['a', 'c'], ['b', 'a'], ['x', 'a']].map(([from, to]) => isNextTurn(ids, from!, to!))).toEqual([true, false, false, false]); // prettier-ignore
});

it('takes what a compared run says, where it is of the same images', () => {
  const { measured } = run(3);
  const change = (kind: string, image: number) => ({ kind, image, first: 0, second: 0, movedPx: 0 });
  const compared = {
    images: measured.images,
    labels: ['cup'],
    at: { firstThresholds: Float64Array.of(0.5) },
    changes: [change('vanished', 0), change('appeared', 1), change('relabelled', 2), change('moved', 2)],
  } as unknown as Compared;
  const said = otherOpinion(compared, measured)!;
  expect([[...(said.kept as Float64Array)], [...(said.agreed as Float64Array)]]).toEqual([
    [8, 3, 2],
    [8, 2, 1],
  ]);
  expect(otherOpinion({ ...compared, images: measured.images.slice(1) } as unknown as Compared, measured)).toBeNull();
  const turned = { ...compared, images: measured.images.toReversed() } as unknown as Compared;
  expect(otherOpinion(turned, measured)).toBeNull();
  expect(otherOpinion(null, measured)).toBeNull();
});

it.each([
  [{ uncertain: 0.1, disagreeing: 0, novel: 0, rare: 0 }, 'chosen at random'],
  [{ uncertain: 0.6, disagreeing: 2, novel: 0.9, rare: 1 }, '2 boxes that only one model has, unsure boxes, a rare label, unlike the others'],
])('says why: %j', (worth, words) => {
  expect(reasonsText({ ...worth, worth: 1 })).toBe(words);
}); // prettier-ignore
