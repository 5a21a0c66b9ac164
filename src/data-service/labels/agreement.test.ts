import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '@connectrpc/connect';
import { codeOf, startDataService, uploadPicture, type TestService } from '../../../tests/data-service-fixture.ts';
import { LabelService, type Task } from '../../gen/sightglass/labels/v1/labels_pb.ts';
import { measureAgreement } from './measure-agreement.ts';

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
  it('is the share of boxes that both drew, by label', () => {
    const images = [
      { a: [box('cup'), box('dog', 0.5)], b: [box('cup', 0.05), box('cat', 0.5)] },
      { a: [box('cup')], b: [] },
      { a: [], b: [] },
    ];
    const { labels, overall } = measureAgreement(images, 0.5);
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

  it('wants boxes to overlap enough, and counts each once', () => {
    const images = [{ a: [box('cup')], b: [box('cup', 0.05), box('cup', 0.1, 'second')] }];
    expect(measureAgreement(images, 0.5).overall!.matched).toBe(1);
    expect(measureAgreement(images, 0.9).overall!.matched).toBe(0);
  });

  it('has an interval that narrows with the images', () => {
    const few = Array.from({ length: 4 }, (_, n) => ({ a: [box('cup')], b: n === 0 ? [] : [box('cup')] }));
    const many = Array.from({ length: 25 }, () => few).flat();
    const [narrow, wide] = [measureAgreement(many, 0.5).overall!, measureAgreement(few, 0.5).overall!];
    expect(narrow.f1).toBe(wide.f1);
    for (const { f1, low, high } of [narrow, wide]) expect(0 <= low && low < f1 && f1 < high && high <= 1).toBe(true);
    expect(narrow.high - narrow.low).toBeLessThan((wide.high - wide.low) / 2);
    expect([narrow.isFew, wide.isFew]).toEqual([false, true]);
  });

  it('is none without a box', () => {
    expect(measureAgreement([{ a: [], b: [] }], 0.5)).toEqual({ labels: [], overall: null });
    expect(measureAgreement([], 0.5)).toEqual({ labels: [], overall: null });
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
