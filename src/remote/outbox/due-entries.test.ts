import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../tests/contract/capture-entries.ts';
import { dueEntries, type Situation } from './due-entries.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { browserTarget, serverTarget } from './outbox-target.ts';

const server = serverTarget({ id: 'server', name: 'Server', url: 'https://data.example', keyId: 'k', partId: 'p' });
const situation: Situation = { nowMs: 1000, isOnline: true, underWay: [], widthOf: () => 2 };
const rows = (id: string, componentName: string): OutboxEntry =>
  entryOf(id, { content: { kind: 'readings', componentName, tags: [], rows: [] } });
const sameFrame = (id: string, of: OutboxEntry): OutboxEntry => ({ ...of, id });
const idsOf = ({ due }: ReturnType<typeof dueEntries>): string[] => due.map(({ entry }) => entry.id);

describe('what is begun now', () => {
  it('is as much as there is room for at each target, in its order', () => {
    const waiting = [entryOf('a'), entryOf('b'), entryOf('c')];
    const there = { targetId: server.id };
    const queues = [
      { target: browserTarget, waiting },
      { target: server, waiting: [entryOf('x', there), entryOf('y', there), entryOf('z', there)] },
    ];
    expect(idsOf(dueEntries(queues, situation))).toEqual(['a', 'b', 'x', 'y']);
    const underWay = [entryOf('w', there)];
    expect(idsOf(dueEntries(queues, { ...situation, underWay }))).toEqual(['a', 'b', 'x']);
    expect(idsOf(dueEntries(queues, { ...situation, widthOf: () => 0 }))).toEqual([]);
  });

  it.each<[string, OutboxEntry, OutboxEntry]>([
    ['another entry of its frame', entryOf('a'), sameFrame('b', entryOf('a'))],
    ['rows of its component', rows('a', 'bench'), rows('b', 'bench')],
  ])('is nothing that comes after %s on its way or begun with it', (_, first, second) => {
    const free = entryOf('c');
    const whileSent = dueEntries([{ target: browserTarget, waiting: [second, free] }], {
      ...situation,
      underWay: [first],
    });
    expect(idsOf(whileSent)).toEqual(['c']);
    expect(idsOf(dueEntries([{ target: browserTarget, waiting: [first, second, free] }], situation))).toEqual([
      'a',
      'c',
    ]);
  });

  it('are frames of one sequence for two targets, and rows of two components', () => {
    const first = entryOf('a');
    const queues = [
      { target: browserTarget, waiting: [first] },
      { target: server, waiting: [{ ...first, id: 'b', targetId: server.id }] },
    ];
    expect(idsOf(dueEntries(queues, situation))).toEqual(['a', 'b']);
    const twoComponents = [{ target: browserTarget, waiting: [rows('a', 'bench'), rows('b', 'door')] }];
    expect(idsOf(dueEntries(twoComponents, situation))).toEqual(['a', 'b']);
  });

  it('is nothing before its time, nor before that of its target, and the soonest of all is told', () => {
    const later = entryOf('b', { dueMs: 1500 });
    expect(dueEntries([{ target: browserTarget, waiting: [entryOf('a'), later] }], situation)).toMatchObject({
      due: [{ entry: { id: 'a' } }],
      soonestMs: 1500,
    });
    const resting = { ...browserTarget, notBeforeMs: 1200 };
    expect(dueEntries([{ target: resting, waiting: [entryOf('a'), later] }], situation)).toEqual({
      due: [],
      soonestMs: 1200,
    });
    expect(dueEntries([{ target: browserTarget, waiting: [] }], situation)).toEqual({ due: [], soonestMs: null });
  });

  it('is nothing for a target without a key, nor for a server without a network', () => {
    const waiting = [entryOf('a')];
    const noKey = [{ target: { ...server, needsKey: true }, waiting }];
    expect(dueEntries(noKey, situation)).toEqual({ due: [], soonestMs: null });
    const offline = { ...situation, isOnline: false };
    expect(dueEntries([{ target: server, waiting }], offline)).toEqual({ due: [], soonestMs: null });
    expect(idsOf(dueEntries([{ target: browserTarget, waiting }], offline))).toEqual(['a']);
  });
});
