import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../src/data-service/ports/principal.ts';
import { editLabels } from '../../../src/data-service/labels/edit-labels.ts';
import type { DataStore } from '../../../src/data-service/ports/data-store.ts';
import type { Assignment, EditedTask, LabelTask, TaskAndImage } from '../../../src/data-service/ports/label-store.ts';
import { assignmentOf } from '../../../src/platform/data-store/label-rules.ts';
import { anonymousReceipt, binaryRecord, box } from './captures.ts';
import { ada, ben, labelTask } from './labels.ts';
import type { Subject } from './store-under-test.ts';

const annotator: Principal = {
  keyId: '',
  membershipId: 'm',
  organizationId: 'org',
  locationId: null,
  partId: null,
  role: 'annotator',
  actor: ada,
};

/** Adds a box to images, on behalf of Ada, who is an annotator. */
const draw = (store: Pick<DataStore, 'binary'>, ...ids: readonly string[]) =>
  editLabels(store, annotator, ids, (record) => ({
    ...record,
    boundingBoxes: [...record.boundingBoxes, box('drawn')],
  }));

const notAssigned = 'Binary data f is not assigned to Ada; an annotator draws only on assigned images.';

/** What becomes of Ada's task while she draws, and what she is told. */
const changes: readonly (readonly [string, (found: TaskAndImage) => EditedTask, string])[] = [
  ['given to somebody else', ({ task, image }) => ({ task: { ...task, assignee: ben }, image }), notAssigned],
  ['deleted', ({ image }) => ({ task: null, image }), notAssigned],
  ['made blind', ({ task, image }) => ({ task: { ...task, isBlind: true }, image }), notAssigned],
  [
    'accepted',
    ({ task, image }) => ({
      task: { ...task, state: 'accepted' },
      image: { ...image, accepted: { taskId: task.id, by: 'Ben', time: 9 } },
    }),
    'Binary data f was accepted by Ben on 1970-01-01; reopen it first.',
  ],
];

export function describeDrawing(subject: Subject): void {
  async function addImages(...tasks: readonly LabelTask[]): Promise<void> {
    const ids = new Set(tasks.map(({ binaryDataId }) => binaryDataId));
    await subject().store.binary.insert(
      Array.from(ids, (id) => binaryRecord(id)),
      anonymousReceipt(),
    );
    expect(await subject().store.labels.addTasks(tasks)).toEqual(tasks);
  }
  const drawnOn = async (id: string): Promise<number> =>
    (await subject().store.binary.get('org', [id]))[0]!.boundingBoxes.length;

  describe('an edit of labels', () => {
    it('sees the tasks that its assignee has of each record, and of nobody else', async () => {
      const own = [labelTask('a'), labelTask('c', { binaryDataId: 'g', isBlind: true })];
      await addImages(own[0]!, labelTask('b', { assignee: ben, isBlind: true }), own[1]!);
      const seen = new Map<string, readonly Assignment[]>();
      const { binary } = subject().store;
      const look = (assignee?: typeof ada) =>
        binary.edit(
          'org',
          ['g', 'f'],
          (record, tasks) => {
            seen.set(record.id, tasks);
            return record;
          },
          assignee,
        );
      await look(ada);
      expect([seen.get('f'), seen.get('g')]).toEqual([[assignmentOf(own[0]!)], [assignmentOf(own[1]!)]]);
      await look();
      expect([seen.get('f'), seen.get('g')]).toEqual([[], []]);
    });

    it('is made by whom all of its images are assigned to, or not at all', async () => {
      await addImages(labelTask('a'), labelTask('b', { binaryDataId: 'g', assignee: ben }));
      await draw(subject().store, 'f');
      await expect(draw(subject().store, 'f', 'g')).rejects.toThrow('Binary data g is not assigned to Ada');
      expect([await drawnOn('f'), await drawnOn('g')]).toEqual([1, 0]);
    });

    it.each(changes)('is refused whose task is %s just before its transaction', async (_, change, refusal) => {
      const { labels, binary } = subject().store;
      await addImages(labelTask('a'));
      const edit: DataStore['binary']['edit'] = async (...call) => {
        await labels.editTasks('org', ['a'], change);
        return binary.edit(...call);
      };
      await expect(draw({ binary: { ...binary, edit } }, 'f')).rejects.toThrow(refusal);
      expect(await drawnOn('f')).toBe(0);
    });

    // The edit begins while the transaction that changes the task is under way: what was read of the task before is out of date.
    it.each(changes)(
      'is refused on this and another host that begins while its task is %s',
      async (_, change, refusal) => {
        const { store, openAgain } = subject();
        const hosts = openAgain === null ? [store] : [store, await openAgain()];
        await addImages(labelTask('a'));
        for (const host of hosts) await draw(host, 'f'); // each has read the task, and its image, when they were Ada's
        let late: readonly Promise<string>[] = [];
        await store.labels.editTasks('org', ['a'], (found) => {
          if (late.length === 0)
            late = hosts.map(async (host) => {
              await Promise.resolve(); // a store in memory has changed the task by then, all others are about to
              return draw(host, 'f').then(() => 'drawn', String);
            });
          return change(found);
        });
        for (const outcome of await Promise.all(late)) expect(outcome).toContain(refusal);
        expect(await drawnOn('f')).toBe(hosts.length);
      },
    );

    it.each(changes)('that comes first is seen by the change by which its task is %s', async (_, change) => {
      const ids = Array.from({ length: 6 }, (__, n) => `f${n}`);
      await addImages(...ids.map((id) => labelTask(`of-${id}`, { binaryDataId: id })));
      const { store } = subject();
      const boxesThen = new Map<string, number>();
      await Promise.allSettled(
        ids.flatMap((id) => [
          draw(store, id),
          store.labels.editTasks('org', [`of-${id}`], (found) => {
            boxesThen.set(id, found.image.boundingBoxes.length);
            return change(found);
          }),
          draw(store, id),
        ]),
      );
      for (const id of ids) expect(await drawnOn(id)).toBe(boxesThen.get(id));
    });
  });
}
