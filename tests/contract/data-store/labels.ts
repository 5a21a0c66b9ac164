import { describe, expect, it } from 'vitest';
import { unlessAccepted } from '../../../src/data-service/labels/accepted-images.ts';
import { editBoxes } from '../../../src/data-service/labels/box-edits.ts';
import type { Actor } from '../../../src/data-service/ports/audit-store.ts';
import {
  positionOfCreated,
  type EditedTask,
  type LabelComment,
  type LabelScheme,
  type LabelTask,
  type TaskAndImage,
  type TaskFilter,
} from '../../../src/data-service/ports/label-store.ts';
import { assignmentOf } from '../../../src/platform/data-store/label-rules.ts';
import { StoreError } from '../../../src/data-service/ports/store-error.ts';
import { testNow } from './blobs.ts';
import { anonymousReceipt, binaryRecord, box, idsOf } from './captures.ts';
import type { Subject } from './store-under-test.ts';

export const ada: Actor = { kind: 'person', id: 'ada', name: 'Ada' };
export const ben: Actor = { kind: 'person', id: 'ben', name: 'Ben' };

export const labelTask = (id: string, changes: Partial<LabelTask> = {}): LabelTask => ({
  id,
  organizationId: 'org',
  binaryDataId: 'f',
  locationId: 'loc',
  partId: 'part',
  datasetId: '',
  assignee: ada,
  state: 'open',
  isBlind: false,
  boxes: [],
  truth: null,
  version: 1,
  timeCreated: 5,
  timeChanged: 5,
  changedBy: ben,
  reason: '',
  ...changes,
});

export const labelComment = (id: string, changes: Partial<LabelComment> = {}): LabelComment => ({
  id,
  organizationId: 'org',
  binaryDataId: 'f',
  taskId: '',
  author: ben,
  text: 'The handle is missing.',
  place: { x: 0.25, y: 0.5 },
  isResolved: false,
  timeCreated: 5,
  ...changes,
});

export const labelScheme = (version: number, changes: Partial<LabelScheme> = {}): LabelScheme => ({
  organizationId: 'org',
  datasetId: 'd',
  labels: [
    {
      name: 'cup',
      color: '#1f77b4',
      description: 'With a handle',
      attributes: [{ name: 'colour', values: ['red', 'blue'] }],
      exampleBinaryDataId: 'f',
    },
  ],
  version,
  ...changes,
});

/** Every task of the organization. */
export const allTasks: TaskFilter = {
  organizationId: 'org',
  locationId: null,
  partId: null,
  assignee: null,
  state: '',
  datasetId: '',
  binaryDataId: '',
};

/** Accepts a task, and locks its image, as the routes do. */
const accept = ({ task, image }: TaskAndImage): EditedTask => {
  if (task.state === 'accepted') throw new StoreError('conflict', 'It was changed meanwhile.');
  return {
    task: { ...task, state: 'accepted', version: task.version + 1 },
    image: { ...image, accepted: { taskId: task.id, by: 'Ben', time: 9 } },
  };
};

const dataset = { id: 'd', organizationId: 'org', name: 'birds', type: 'binary', timeCreated: 5 } as const;

export function describeLabels(subject: Subject): void {
  const addFiles = (...ids: readonly string[]): Promise<void> =>
    subject().store.binary.insert(
      ids.map((id) => binaryRecord(id, { boundingBoxes: [box('cat')] })),
      anonymousReceipt(),
    );

  /** 24 tasks of 24 images, in three states, of two people, in two datasets. */
  async function manyTasks(): Promise<readonly LabelTask[]> {
    const tasks = Array.from({ length: 24 }, (_, n) =>
      labelTask(`t${String(n).padStart(2, '0')}`, {
        binaryDataId: `f${n}`,
        assignee: [ada, ben][n % 2]!,
        state: (['open', 'done', 'to-fix'] as const)[n % 3]!,
        datasetId: n % 4 === 0 ? 'd' : '',
        locationId: n % 5 === 0 ? 'yard' : 'loc',
        partId: n % 10 === 0 ? 'arm' : 'part',
        timeCreated: Math.floor(n / 2),
      }),
    );
    await addFiles(...tasks.map(({ binaryDataId }) => binaryDataId));
    expect(await subject().store.labels.addTasks(tasks)).toEqual(tasks);
    return tasks;
  }

  describe('tasks of labelling', () => {
    it('are read as they were added, in their organization', async () => {
      const { labels } = subject().store;
      await addFiles('f', 'g');
      const blind = labelTask('b', { binaryDataId: 'g', isBlind: true, boxes: [box('cat')], truth: [box('dog')] });
      const tasks = [labelTask('a', { reason: 'a \0 too' }), blind];
      expect(await labels.addTasks(tasks)).toEqual(tasks);
      expect(await labels.getTasks('org', ['b', 'none', 'a'])).toEqual([blind, null, tasks[0]]);
      expect(await labels.getTasks('other', ['a'])).toEqual([null]);
      expect(await labels.addTasks([])).toEqual([]);
    });

    it('are one of an image and a person, and one of an image that is not blind', async () => {
      const { labels, binary } = subject().store;
      await addFiles('f', 'g');
      await labels.addTasks([labelTask('a')]);
      const added = await labels.addTasks([
        labelTask('same', { isBlind: true }),
        labelTask('second', { assignee: ben }),
        labelTask('blind', { assignee: ben, isBlind: true }),
        labelTask('lost', { binaryDataId: 'none' }),
        labelTask('other', { binaryDataId: 'g', assignee: ben }),
        labelTask('late', { binaryDataId: 'g', assignee: ada }),
      ]);
      expect(idsOf(added)).toEqual(['blind', 'other']);
      await labels.editTasks('org', ['a'], accept);
      await labels.editTasks('org', ['a'], ({ image }) => ({ task: null, image }));
      expect(await labels.addTasks([labelTask('again', { assignee: { ...ada, id: 'eve' } })])).toEqual([]);
      expect((await binary.get('org', ['f']))[0]!.accepted).toEqual({ taskId: 'a', by: 'Ben', time: 9 });
    });

    it.each<readonly [string, Partial<TaskFilter>, (task: LabelTask) => boolean]>([
      ['nothing', {}, () => true],
      ['a person', { assignee: ada }, ({ assignee }) => assignee.id === 'ada'],
      ['a state', { state: 'done' }, ({ state }) => state === 'done'],
      ['a dataset', { datasetId: 'd' }, ({ datasetId }) => datasetId === 'd'],
      ['a person and a state', { assignee: ben, state: 'open' }, (t) => t.assignee.id === 'ben' && t.state === 'open'],
      [
        'a person and a dataset',
        { assignee: ada, datasetId: 'd' },
        (t) => t.assignee.id === 'ada' && t.datasetId === 'd',
      ],
      [
        'a state and a dataset',
        { state: 'to-fix', datasetId: 'd' },
        (t) => t.state === 'to-fix' && t.datasetId === 'd',
      ],
      ['all three', { assignee: ada, state: 'open', datasetId: 'd' }, (t) => t.datasetId === 'd' && t.state === 'open'],
      ['an image', { binaryDataId: 'f3' }, ({ binaryDataId }) => binaryDataId === 'f3'],
      ['an image and a state', { binaryDataId: 'f3', state: 'done' }, () => false],
      ['a location', { locationId: 'yard' }, ({ locationId }) => locationId === 'yard'],
      ['a part', { locationId: 'yard', partId: 'arm' }, ({ partId }) => partId === 'arm'],
      ['a part and a state', { partId: 'arm', state: 'open' }, (t) => t.partId === 'arm' && t.state === 'open'],
      ['another organization', { organizationId: 'other' }, () => false],
    ])('are listed by %s, the oldest first, in pages of any size', async (_, narrowed, matches) => {
      const tasks = await manyTasks();
      const { labels } = subject().store;
      const wanted = tasks.filter(matches);
      for (const limit of [1, 5, 50]) {
        const found: LabelTask[] = [];
        for (;;) {
          const last = found.at(-1);
          const filter = { ...allTasks, ...narrowed };
          const page = await labels.listTasks(filter, last ? positionOfCreated(last) : null, limit);
          found.push(...page);
          if (page.length < limit) break;
        }
        expect(found).toEqual(wanted);
      }
    });

    it('with many boxes come fewer at a time, at least one, and none is left out', async () => {
      const { labels } = subject().store;
      const boxes = Array.from({ length: 4000 }, (_, n) => ({ ...box('cat'), id: `box-${n}` }));
      const ids = Array.from({ length: 6 }, (_, n) => `f${n}`);
      await addFiles(...ids);
      await labels.addTasks(
        ids.map((id, n) => labelTask(`t${n}`, { binaryDataId: id, isBlind: true, boxes: n < 4 ? boxes : [] })),
      );
      const pages: (readonly LabelTask[])[] = [];
      for (let last: LabelTask | undefined; ; last = pages.at(-1)!.at(-1)) {
        const page = await labels.listTasks(allTasks, last ? positionOfCreated(last) : null, 50);
        if (page.length === 0) break;
        pages.push(page);
      }
      expect(pages[0]!.length).toBeLessThan(4);
      expect(idsOf(pages.flat())).toEqual(ids.map((_, n) => `t${n}`));
      expect(pages.flat().map((task) => task.boxes.length)).toEqual([4000, 4000, 4000, 4000, 0, 0]);
    });

    it('of a person are found by their images', async () => {
      const tasks = await manyTasks();
      const { labels } = subject().store;
      const found = await labels.assignments('org', ada, ['f2', 'f3', 'f4', 'none']);
      const wanted = [tasks[2]!, tasks[4]!].map(assignmentOf);
      expect([...found].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(wanted);
      expect(await labels.assignments('other', ada, ['f2'])).toEqual([]);
      expect(await labels.assignments('org', ada, [])).toEqual([]);
    });

    it('are counted by person and state', async () => {
      const tasks = await manyTasks();
      const { labels } = subject().store;
      const all = { locationId: null, partId: null, datasetId: '' };
      for (const narrowed of [
        {},
        { datasetId: 'd' },
        { locationId: 'yard' },
        { locationId: 'loc', datasetId: 'd' },
        { locationId: 'yard', partId: 'arm' },
        { partId: 'arm', datasetId: 'd' },
      ]) {
        const { locationId, partId, datasetId }: Pick<TaskFilter, keyof typeof all> = { ...all, ...narrowed };
        const counted = await labels.countTasks({ organizationId: 'org', locationId, partId, datasetId });
        const expected = [ada, ben].flatMap((assignee) =>
          (['open', 'done', 'to-fix'] as const).flatMap((state) => {
            const { length: count } = tasks.filter(
              (task) =>
                task.assignee === assignee &&
                task.state === state &&
                (locationId === null || task.locationId === locationId) &&
                (partId === null || task.partId === partId) &&
                (datasetId === '' || task.datasetId === datasetId),
            );
            return count === 0 ? [] : [{ assignee, state, count }];
          }),
        );
        expect(counted).toEqual(expected);
      }
      expect(await labels.countTasks({ organizationId: 'other', ...all })).toEqual([]);
    });

    it('are edited together with their image, all or none', async () => {
      const { labels, binary } = subject().store;
      await addFiles('f', 'g');
      await labels.addTasks([labelTask('a'), labelTask('b', { binaryDataId: 'g' })]);
      const [edited] = await labels.editTasks('org', ['a'], ({ task, image }) => ({
        task: { ...task, state: 'done' },
        image: { ...image, boundingBoxes: [box('dog')] },
      }));
      expect(edited).toEqual(labelTask('a', { state: 'done' }));
      expect(await labels.getTasks('org', ['a'])).toEqual([edited]);
      expect((await binary.get('org', ['f']))[0]!.boundingBoxes).toEqual([box('dog')]);
      const failing = labels.editTasks('org', ['b', 'none'], accept);
      await expect(failing).rejects.toMatchObject({ code: 'not-found', subject: 'none' });
      await expect(labels.editTasks('other', ['a'], accept)).rejects.toMatchObject({ code: 'not-found', subject: 'a' });
      const thrown = labels.editTasks('org', ['b', 'a'], ({ task }) => {
        if (task.id === 'a') throw new Error('refused');
        return { task: null, image: binaryRecord('g') };
      });
      await expect(thrown).rejects.toThrow('refused');
      expect(await labels.getTasks('org', ['b'])).toEqual([labelTask('b', { binaryDataId: 'g' })]);
    });

    it('of one image see each other as they are', async () => {
      const { labels } = subject().store;
      await addFiles('f');
      const tasks = [ada, ben].map((assignee) => labelTask(`of-${assignee.id}`, { assignee, isBlind: true }));
      await labels.addTasks(tasks);
      const seen: string[][] = [];
      const left = await labels.editTasks('org', ['of-ada', 'of-ben'], ({ task, image, others }) => {
        seen.push(others.map(({ id, state }) => `${id} ${state}`));
        return { task: task.id === 'of-ada' ? { ...task, state: 'done' } : null, image };
      });
      expect(seen.slice(-2)).toEqual([['of-ben open'], ['of-ada done']]);
      expect(idsOf(left)).toEqual(['of-ada']);
      expect(await labels.getTasks('org', ['of-ben'])).toEqual([null]);
    });

    it('are changed by one of two who change a version at once', async () => {
      const { labels } = subject().store;
      await addFiles('f');
      await labels.addTasks([labelTask('a')]);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, () => labels.editTasks('org', ['a'], accept)),
      );
      expect(outcomes.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
      }
      expect((await labels.getTasks('org', ['a']))[0]!.version).toBe(2);
    });

    it('lock the image of an accepted one: no write comes after it', async () => {
      const { labels, binary } = subject().store;
      const ids = Array.from({ length: 12 }, (_, n) => `f${n}`);
      await addFiles(...ids);
      await labels.addTasks(ids.map((id) => labelTask(`of-${id}`, { binaryDataId: id })));
      const boxesWhenAccepted = new Map<string, number>();
      const write = (id: string, label: string) =>
        binary.edit(
          'org',
          [id],
          unlessAccepted((record) => ({ ...record, boundingBoxes: [...record.boundingBoxes, box(label)] })),
        );
      await Promise.allSettled(
        ids.flatMap((id) => [
          write(id, 'before'),
          labels.editTasks('org', [`of-${id}`], (found) => {
            boxesWhenAccepted.set(id, found.image.boundingBoxes.length);
            return accept(found);
          }),
          write(id, 'after'),
        ]),
      );
      for (const record of await binary.get('org', ids)) {
        expect(record!.accepted).toBeDefined();
        expect(record!.boundingBoxes).toHaveLength(boxesWhenAccepted.get(record!.id)!);
        await expect(write(record!.id, 'late')).rejects.toThrow('was accepted by Ben on 1970-01-01; reopen it first.');
      }
    });

    it('are made once of an image that two assign at once', async () => {
      const { labels } = subject().store;
      const ids = Array.from({ length: 8 }, (_, n) => `f${n}`);
      await addFiles(...ids);
      const assigned = await Promise.all(
        [ada, ben].map((assignee) =>
          labels.addTasks(ids.map((id) => labelTask(`${assignee.id}-${id}`, { binaryDataId: id, assignee }))),
        ),
      );
      expect(assigned.flat()).toHaveLength(8);
      expect(await labels.listTasks(allTasks, null, 50)).toHaveLength(8);
    });

    it('go with their image, and so do comments', async () => {
      const { labels, binary } = subject().store;
      await addFiles('f', 'g');
      await labels.addTasks([labelTask('a'), labelTask('b', { binaryDataId: 'g' })]);
      await labels.addComment(labelComment('c'));
      await labels.addComment(labelComment('e', { binaryDataId: 'g' }));
      await binary.delete('org', ['f']);
      expect(idsOf(await labels.listTasks(allTasks, null, 5))).toEqual(['b']);
      expect(await labels.listComments('org', 'f', null, 5)).toEqual([]);
      expect(idsOf(await labels.listComments('org', 'g', null, 5))).toEqual(['e']);
    });
  });

  describe('boxes that several edit at once', () => {
    it('lose nothing of anyone, and show what is in conflict', async () => {
      const { binary } = subject().store;
      const before = Array.from({ length: 8 }, (_, n) => ({ ...box('cat'), id: `b${n}` }));
      await binary.insert([binaryRecord('f', { boundingBoxes: before })], anonymousReceipt());
      const conflicts = await Promise.all(
        Array.from({ length: 8 }, async (_, n) => {
          let found: readonly string[] = [];
          const edits = [
            { id: `b${n}`, expected: before[n]!, box: { ...before[n]!, label: `of ${n}` } },
            { id: `new${n}`, expected: null, box: { ...box('dog'), id: `new${n}` } },
            { id: 'b0', expected: before[0]!, box: { ...before[0]!, label: `of ${n}` } },
          ];
          await binary.edit('org', ['f'], (record) => {
            const edited = editBoxes(record, edits);
            found = edited.results.filter(({ isConflict }) => isConflict).map(({ id }) => id);
            return edited.record;
          });
          return found;
        }),
      );
      const { boundingBoxes } = (await binary.get('org', ['f']))[0]!;
      expect(boundingBoxes).toHaveLength(16);
      expect(boundingBoxes.filter(({ id }) => id.startsWith('new'))).toHaveLength(8);
      for (let n = 1; n < 8; n++) expect(boundingBoxes.find(({ id }) => id === `b${n}`)!.label).toBe(`of ${n}`);
      // one of all who changed b0 was first, and the others were told
      expect(conflicts.flat().every((id) => id === 'b0')).toBe(true);
      expect(conflicts.filter((found) => found.length === 0)).toHaveLength(1);
    });
  });

  describe('comments on images', () => {
    it('are listed with their image, the oldest first, in pages', async () => {
      const { labels } = subject().store;
      await addFiles('f', 'g');
      const comments = [7, 5, 6, 5].map((timeCreated, n) =>
        labelComment(`c${n}`, { timeCreated, place: n === 0 ? null : { x: 0, y: 1 }, taskId: n === 1 ? 't' : '' }),
      );
      for (const comment of comments) await labels.addComment(comment);
      await labels.addComment(labelComment('other', { binaryDataId: 'g' }));
      expect(idsOf(await labels.listComments('org', 'f', null, 3))).toEqual(['c1', 'c3', 'c2']);
      expect(await labels.listComments('org', 'f', { time: 6, id: 'c2' }, 3)).toEqual([comments[0]]);
      expect(await labels.listComments('other', 'f', null, 3)).toEqual([]);
      const lost = labels.addComment(labelComment('x', { binaryDataId: 'none' }));
      await expect(lost).rejects.toMatchObject({ code: 'not-found', subject: 'none' });
    });

    it('are edited, each in its image', async () => {
      const { labels } = subject().store;
      await addFiles('f', 'g');
      await labels.addComment(labelComment('c'));
      const resolve = (comment: LabelComment): LabelComment => ({ ...comment, isResolved: true });
      expect(await labels.editComment('org', 'f', 'c', resolve)).toEqual(labelComment('c', { isResolved: true }));
      expect(await labels.listComments('org', 'f', null, 3)).toEqual([labelComment('c', { isResolved: true })]);
      for (const [organizationId, binaryDataId, id] of [
        ['org', 'g', 'c'],
        ['other', 'f', 'c'],
        ['org', 'f', 'none'],
      ] as const) {
        const edited = labels.editComment(organizationId, binaryDataId, id, resolve);
        await expect(edited).rejects.toMatchObject({ code: 'not-found', subject: id });
      }
    });
  });

  describe('schemes of labels', () => {
    it('are one of a dataset, and go with it', async () => {
      const { labels, datasets } = subject().store;
      const early = labels.putScheme(labelScheme(1));
      await expect(early).rejects.toMatchObject({ code: 'not-found', subject: 'd' });
      await datasets.create(dataset);
      expect(await labels.getScheme('org', 'd')).toBeNull();
      await labels.putScheme(labelScheme(1));
      const named = labelScheme(2, { labels: [], pairs: [{ label: 'cup', modelLabel: 'mug' }] });
      await labels.putScheme(named);
      expect(await labels.getScheme('org', 'd')).toEqual(named);
      expect(await labels.getScheme('other', 'd')).toBeNull();
      for (const version of [1, 2, 4]) {
        const old = labels.putScheme(labelScheme(version));
        await expect(old).rejects.toMatchObject({ code: 'conflict', subject: 'd' });
      }
      await labels.deleteScheme('org', 'd');
      await expect(labels.deleteScheme('org', 'd')).rejects.toMatchObject({ code: 'not-found', subject: 'd' });
      await labels.putScheme(labelScheme(1));
      await datasets.delete('org', 'd');
      expect(await labels.getScheme('org', 'd')).toBeNull();
    });

    it('are changed by one of two who change a version at once', async () => {
      const { labels, datasets } = subject().store;
      await datasets.create(dataset);
      for (const version of [1, 2]) {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 4 }, () => labels.putScheme(labelScheme(version))),
        );
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    });
  });

  describe('presence on an image', () => {
    it('is told to the others until it is over, on every host', async () => {
      const { store, openAgain, setTime } = subject();
      const other = openAgain === null ? store : await openAgain();
      await setTime(testNow);
      expect(await store.labels.announce('org', 'f', ada, 60)).toEqual([]);
      expect(await other.labels.announce('org', 'f', ben, 90)).toEqual([ada]);
      expect(await store.labels.announce('org', 'f', ada, 60)).toEqual([ben]);
      expect(await store.labels.announce('org', 'g', ada, 60)).toEqual([]);
      expect(await store.labels.announce('other', 'f', ada, 60)).toEqual([]);
      await setTime(testNow + 60);
      expect(await other.labels.announce('org', 'f', { ...ben, id: 'eve' }, 60)).toEqual([ben]);
      expect(await other.labels.announce('org', 'f', ben, 0)).toEqual([{ ...ben, id: 'eve' }]);
      expect(await store.labels.announce('org', 'f', ada, 60)).toEqual([{ ...ben, id: 'eve' }]);
    });
  });
}
