import { expect, it } from 'vitest';
import { entryOf } from '../../../tests/contract/capture-entries.ts';
import { deferred } from '../../../tests/deferred.ts';
import type { TargetQueue } from './outbox-store.ts';
import { browserTarget } from './outbox-target.ts';
import { QueuesAhead } from './queues-ahead.ts';

const situation = () => ({ nowMs: 5, isOnline: true, underWay: [], widthOf: () => 1 });
const queueOf = (...ids: string[]): readonly TargetQueue[] => [
  { target: browserTarget, waiting: ids.map((id) => entryOf(id, { dueMs: 0, targetId: browserTarget.id })) },
];

it('takes what was read, none twice, and reads again once that is used up', async () => {
  let reads = 0;
  const ahead = new QueuesAhead({ queues: async () => (reads++ === 0 ? queueOf('a', 'b') : []) });
  const taken: (string | undefined)[] = [];
  for (let turn = 0; turn < 3; turn++) taken.push((await ahead.take(situation)).due[0]?.entry.id);
  expect([taken, reads]).toEqual([['a', 'b', undefined], 2]);
});

it('takes nothing of a read during which something changed', async () => {
  const first = deferred<readonly TargetQueue[]>();
  const reads = [first.promise, Promise.resolve(queueOf('new'))];
  const ahead = new QueuesAhead({ queues: () => reads.shift()! });
  const taking = ahead.take(situation);
  ahead.forget();
  first.resolve(queueOf('old'));
  expect((await taking).due.map(({ entry }) => entry.id)).toEqual(['new']);
});
