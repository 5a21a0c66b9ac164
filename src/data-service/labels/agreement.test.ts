import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '@connectrpc/connect';
import { codeOf, startDataService, uploadPicture, type TestService } from '../../../tests/data-service-fixture.ts';
import { LabelService, type Task } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { DetectionSetBuilder, TruthSetBuilder } from '../../evidence/evaluation/build-sets.ts';
import { matchBoxes } from '../../evidence/evaluation/match/match-boxes.ts';
import { randomSource } from '../../../tests/random-frame.ts';
import type { BoundingBox } from '../ports/stored-captures.ts';
import { Turns } from '../../base/schedule/turns.ts';
import { LabelNumbers } from './drawn-boxes.ts';
import { AgreementBudget, AgreementMeasure } from './measure-agreement.ts';

type DrawnTwice = Readonly<Record<'a' | 'b', readonly BoundingBox[]>>;

async function measureAgreement(images: readonly DrawnTwice[], iou: number, turns = new Turns()) {
  const numbers = new LabelNumbers();
  const measured = new AgreementMeasure(iou, numbers, turns);
  for (const { a, b } of images) await measured.add(numbers.drawn(a), numbers.drawn(b));
  return measured.result();
}

const box = (label: string, x = 0, id = label) => ({
  id,
  label,
  xMinNormalized: x,
  yMinNormalized: 0,
  xMaxNormalized: x + 0.25,
  yMaxNormalized: 0.5,
  confidence: null,
});

describe('the agreement of two', () => {
  it('is the share of boxes that both drew, by label', async () => {
    const images = [
      { a: [box('cup'), box('dog', 0.5)], b: [box('cup', 0.05), box('cat', 0.5)] },
      { a: [box('cup')], b: [] },
      { a: [], b: [] },
    ];
    const { labels, overall } = await measureAgreement(images, 0.5);
    const figures = labels.map(({ label, images: n, boxesA, boxesB, matched, f1 }) => [
      label,
      n,
      boxesA,
      boxesB,
      matched,
      f1,
    ]);
    expect(figures).toEqual([
      ['cat', 1, 0, 1, 0, 0],
      ['cup', 2, 2, 1, 1, 2 / 3],
      ['dog', 1, 1, 0, 0, 0],
    ]);
    expect(overall).toMatchObject({ label: '', images: 2, boxesA: 3, boxesB: 2, matched: 1, f1: 2 / 5, isFew: true });
  });

  it('wants boxes to overlap enough, and counts each once', async () => {
    const images = [{ a: [box('cup')], b: [box('cup', 0.05), box('cup', 0.1, 'second')] }];
    expect((await measureAgreement(images, 0.5)).overall!.matched).toBe(1);
    expect((await measureAgreement(images, 0.9)).overall!.matched).toBe(0);
  });

  it('has an interval that narrows with the images', async () => {
    const few = Array.from({ length: 4 }, (_, n) => ({ a: [box('cup')], b: n === 0 ? [] : [box('cup')] }));
    const many = Array.from({ length: 25 }, () => few).flat();
    const [narrow, wide] = [(await measureAgreement(many, 0.5)).overall!, (await measureAgreement(few, 0.5)).overall!];
    expect(narrow.f1).toBe(wide.f1);
    for (const { f1, low, high } of [narrow, wide]) expect(0 <= low && low < f1 && f1 < high && high <= 1).toBe(true);
    expect(narrow.high - narrow.low).toBeLessThan((wide.high - wide.low) / 2);
    expect([narrow.isFew, wide.isFew]).toEqual([false, true]);
    const isFew = async (count: number) => (await measureAgreement(many.slice(0, count), 0.5)).overall!.isFew;
    expect([await isFew(9), await isFew(10)]).toEqual([true, false]);
  });

  it('counts every box of a crowd', async () => {
    const crowd = Array.from({ length: 150 }, (_, n) => box('cup', n, String(n)));
    const { labels } = await measureAgreement([{ a: crowd, b: crowd }], 0.5);
    expect(labels).toMatchObject([{ label: 'cup', boxesA: 150, boxesB: 150, matched: 150, f1: 1 }]);
  });

  it('is none without a box', async () => {
    expect(await measureAgreement([{ a: [], b: [] }], 0.5)).toEqual({ labels: [], overall: null });
    expect(await measureAgreement([], 0.5)).toEqual({ labels: [], overall: null });
  });
});

/** How many boxes match where boxes are matched as detections of equal scores are. */
function matchedAsDetections(images: readonly DrawnTwice[], iou: number, labels: readonly string[]): number {
  const [truth, detections] = [new TruthSetBuilder(), new DetectionSetBuilder()];
  const corners = ({ xMinNormalized: x, yMinNormalized: y, xMaxNormalized, yMaxNormalized }: BoundingBox) =>
    [x, y, xMaxNormalized - x, yMaxNormalized - y] as const;
  for (const [image, { a, b }] of images.entries()) {
    for (const one of a) truth.add(image, labels.indexOf(one.label), corners(one));
    for (const one of b) detections.add(image, labels.indexOf(one.label), corners(one), 1);
  }
  return matchBoxes(
    truth.build(),
    detections.build(),
    { imageCount: images.length, labels },
    { iouThresholds: Float64Array.of(iou) },
  ).reduce((sum, { truthRow }) => sum + truthRow.filter((row) => row >= 0).length, 0);
}

describe('boxes of two', () => {
  const random = randomSource(5);
  const labels = ['cup', 'dog'];
  /** On a coarse grid, so that many are equal, touch, or have no size. */
  const drawn = (count: number, steps: number): BoundingBox[] =>
    Array.from({ length: count }, (_, n) => {
      const pick = (): number => Math.floor(random() * (steps + 1)) / steps;
      const [x, y] = [[pick(), pick()].toSorted(), [pick(), pick()].toSorted()];
      return {
        id: String(n),
        label: labels[Math.floor(random() * 2)]!,
        confidence: null,
        xMinNormalized: x[0]!,
        xMaxNormalized: x[1]!,
        yMinNormalized: y[0]!,
        yMaxNormalized: y[1]!,
      };
    });

  it.each([0.05, 0.3, 0.5, 0.75, 1])('match at %s as detections match truth', async (iou) => {
    for (const steps of [3, 10, 1000]) {
      const images = Array.from({ length: 60 }, () => ({
        a: drawn(Math.floor(random() * 30), steps),
        b: drawn(Math.floor(random() * 30), steps),
      }));
      const { overall } = await measureAgreement(images, iou);
      expect(overall!.matched).toBe(matchedAsDetections(images, iou, labels));
    }
  });

  it('are compared in short turns, however many lie in one place, within a budget', async () => {
    let turns = 0;
    const boxes = Array.from({ length: 3000 }, (_, n) => box('cup', 0, String(n)));
    const measured = await measureAgreement([{ a: boxes, b: boxes }], 0.5, new Turns(async () => void turns++));
    expect(measured.overall!.matched).toBe(3000);
    expect(turns).toBeGreaterThanOrEqual(8); // a turn has a million pairs
    expect(turns).toBeLessThanOrEqual(9);
    const budget = new AgreementBudget();
    expect(() => {
      for (let n = 0; n < 100; n++) budget.takePairs(10_000_000);
    }).toThrow('more pairs of boxes that lie near each other than are compared at once; give a dataset_id');
    budget.takeBoxes(3_000_000);
    expect(() => budget.takeBoxes(1)).toThrow('more boxes than are compared at once; give a dataset_id');
  });

  it('that lie apart are hardly compared', async () => {
    let turns = 0;
    const scattered = Array.from({ length: 10_000 }, (_, n) => {
      const [x, y] = [(n % 100) / 100, Math.floor(n / 100) / 100];
      return { ...box('cup', x, String(n)), xMaxNormalized: x + 0.009, yMinNormalized: y, yMaxNormalized: y + 0.009 };
    });
    const { overall } = await measureAgreement(
      [{ a: scattered, b: scattered }],
      0.5,
      new Turns(async () => void turns++),
    );
    expect(overall!.matched).toBe(10_000);
    expect(turns).toBeLessThanOrEqual(2); // a hundredth of the 100 million pairs is compared
  });

  it('have their intervals computed in short turns, too, however many labels there are', async () => {
    const named = Array.from({ length: 5000 }, (_, n) => box(`label ${n}`));
    const numbers = new LabelNumbers();
    let turns = 0;
    const measured = new AgreementMeasure(0.5, numbers, new Turns(async () => void turns++));
    await measured.add(numbers.drawn(named), numbers.drawn(named));
    turns = 0;
    expect((await measured.result()).labels).toHaveLength(5000);
    expect(turns).toBeGreaterThanOrEqual(8);
  });
});

describe('people', () => {
  const ofA = { organizationId: 'a' };
  let service: TestService;
  let images: string[];
  beforeEach(async () => {
    service = await startDataService();
    images = [];
    for (let n = 0; n < 3; n++) images.push(await uploadPicture(service.owner));
  });

  const workerOf = (who: 'owner' | 'operator') => ({ kind: 'key', id: service.keys[who].id, name: who });
  const clientOf = (who: 'owner' | 'operator'): Client<typeof LabelService> => service[who].of(LabelService);

  const seen = ({ id, version }: Task) => ({ id, version });

  /** Draws in all open tasks of somebody, and hands them in. */
  async function work(
    who: 'owner' | 'operator',
    draw: (task: Task, index: number) => readonly object[],
  ): Promise<void> {
    const client = clientOf(who);
    const { tasks } = await client.listTasks({ ...ofA, assignee: workerOf(who), state: 'open' });
    const inOrder = tasks.toSorted((a, b) => images.indexOf(a.binaryDataId) - images.indexOf(b.binaryDataId));
    for (const [index, task] of inOrder.entries()) {
      const drawn = task.blind
        ? (await client.setTaskBoxes({ ...seen(task), boxes: [...draw(task, index)] })).task!
        : task;
      await client.setTaskState({ ...seen(drawn), state: 'done' });
    }
  }

  it('are compared over what both have handed in', async () => {
    const assignees = [workerOf('owner'), workerOf('operator')];
    await clientOf('owner').assignImages({ ...ofA, binaryDataIds: images, assignees, mode: 'every' });
    await work('owner', () => [box('cup')]);
    const asked = { ...ofA, workers: assignees };
    const early = await clientOf('owner').getAgreement(asked);
    expect(early).toMatchObject({ labels: [], honeypots: [{ images: 0 }, { images: 0 }] });
    expect(early.overall).toBeUndefined();
    await work('operator', (_, index) => (index === 0 ? [] : [box('cup', 0.02)]));
    const { labels, overall } = await clientOf('owner').getAgreement(asked);
    expect(labels).toMatchObject([{ label: 'cup', images: 3, boxesA: 3, boxesB: 2, matched: 2, f1: 0.8, few: true }]);
    expect(overall).toMatchObject({ label: '', f1: 0.8 });
    const strict = await clientOf('owner').getAgreement({ ...asked, iou: 0.95 });
    expect(strict.overall!.matched).toBe(0);
  });

  it('who draw thousands of boxes hold nobody up', async () => {
    const assignees = [workerOf('owner'), workerOf('operator')];
    await clientOf('owner').assignImages({ ...ofA, binaryDataIds: images, assignees, mode: 'every' });
    const many = Array.from({ length: 4000 }, (_, n) => box('cup', (n % 40) / 100, String(n)));
    for (const who of ['owner', 'operator'] as const) await work(who, () => many);
    let [ticks, isDone] = [0, false];
    const ticking = (async () => {
      for (; !isDone; ticks++) await new Promise((resolve) => setTimeout(resolve));
    })();
    const { overall } = await clientOf('owner').getAgreement({ ...ofA, workers: assignees });
    isDone = true;
    await ticking;
    expect(overall).toMatchObject({ images: 3, matched: 12_000 });
    // six tasks of 400,000 units each are read, and at least five million pairs are compared
    expect(ticks).toBeGreaterThanOrEqual(7);
  });

  it('who draw more labels than can be told apart are refused', async () => {
    const assignees = [workerOf('owner'), workerOf('operator')];
    await clientOf('owner').assignImages({ ...ofA, binaryDataIds: images.slice(0, 2), assignees, mode: 'every' });
    const labels = (from: number) => Array.from({ length: 6000 }, (_, n) => box(`label ${from + n}`));
    for (const who of ['owner', 'operator'] as const) await work(who, (_, index) => labels(6000 * index));
    const asked = clientOf('owner').getAgreement({ ...ofA, workers: assignees });
    await expect(asked).rejects.toThrow('more labels than are compared at once; give a dataset_id');
    // the place is free again
    expect(await clientOf('owner').getAgreement({ ...ofA, workers: assignees, datasetId: 'none' })).toMatchObject({
      labels: [],
    });
  });

  it('are measured by accepted images, which look like any other', async () => {
    const [owner, operator] = [clientOf('owner'), clientOf('operator')];
    const [known] = images as [string];
    await service.owner.data.addBoundingBoxToImageByID({ binaryDataId: known, ...box('cup'), confidence: 0.5 });
    await owner.assignImages({ ...ofA, binaryDataIds: [known], assignees: [workerOf('owner')], mode: 'split' });
    await work('owner', () => []);
    const [done] = (await owner.listTasks(ofA)).tasks as [Task];
    await owner.setTaskState({ ...seen(done), state: 'accepted' });

    const assigned = { ...ofA, binaryDataIds: images.slice(1), assignees: [workerOf('operator')], mode: 'split' };
    expect(await owner.assignImages({ ...assigned, honeypots: 2 })).toMatchObject({ made: 3, honeypots: 1, images: 2 });
    const again = { ...assigned, honeypots: 2, imagesBefore: 2 };
    expect(await owner.assignImages(again)).toMatchObject({ made: 0, honeypots: 0, skipped: 2 });
    const { tasks } = await operator.listTasks({ ...ofA, assignee: workerOf('operator') });
    expect(tasks.map(({ blind, boxes }) => [blind, boxes.length])).toEqual([
      [true, 0],
      [true, 0],
      [true, 0],
    ]);
    // an operator reviews, and may know; of the truth itself nothing is told
    expect(tasks.map(({ hasTruth, binaryDataId }) => hasTruth === (binaryDataId === known))).toEqual([
      true,
      true,
      true,
    ]);

    await work('operator', ({ binaryDataId }) => (binaryDataId === known ? [box('cup'), box('dog')] : []));
    const { honeypots } = await owner.getAgreement({ ...ofA, workers: [workerOf('operator')] });
    expect(honeypots).toMatchObject([
      { worker: workerOf('operator'), images: 1, overall: { boxesA: 1, boxesB: 2, matched: 1, f1: 2 / 3 } },
    ]);
  });

  it.each([
    ['nobody', { workers: [] }],
    ['three', { workers: ['a', 'b', 'c'].map((id) => ({ kind: 'person', id })) }],
    ['an overlap above 1', { workers: [{ kind: 'person' }], iou: 1.5 }],
    ['an overlap that is none', { workers: [{ kind: 'person' }], iou: NaN }],
  ])('are not compared: %s', async (_, asked) => {
    expect(await codeOf(clientOf('owner').getAgreement({ ...ofA, ...asked }))).toBe('InvalidArgument');
  });
});
