import { deserialize, serialize, type Document } from 'bson';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OpenCursors } from './open-cursors.ts';

const namespace = 'sensorData.readings';
const rowsOf = (count: number, bytes = 0): Uint8Array[] =>
  Array.from({ length: count }, (_, n) => serialize({ n, pad: 'x'.repeat(bytes) }));
const read = (reply: Uint8Array): { id: string; rows: number[] } => {
  const { id, firstBatch, nextBatch } = (deserialize(reply) as { cursor: Document }).cursor;
  return { id: String(id), rows: ((firstBatch ?? nextBatch) as Document[]).map((row) => row.n as number) };
};
const all = { size: null, single: false };

describe('cursors', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('give an answer in batches, the last without a cursor', () => {
    const cursors = new OpenCursors();
    const first = read(cursors.open('a', namespace, rowsOf(7), { size: 3, single: false }));
    expect(first.rows).toEqual([0, 1, 2]);
    expect(read(cursors.read('a', first.id, namespace, 2))).toEqual({ id: first.id, rows: [3, 4] });
    expect(read(cursors.read('a', first.id, namespace, null))).toEqual({ id: '0', rows: [5, 6] });
    expect(() => cursors.read('a', first.id, namespace, null)).toThrow('There is no cursor');
  });

  it.each([
    ['everything there is', 3, all, { rows: 3, open: false }],
    ['as many as MongoDB does', 200, all, { rows: 101, open: true }],
    ['nothing yet', 3, { size: 0, single: false }, { rows: 0, open: true }],
    ['one batch alone', 9, { size: 4, single: true }, { rows: 4, open: false }],
  ])('begin with %s', (_, count, options, expected) => {
    const { id, rows } = read(new OpenCursors().open('a', namespace, rowsOf(count), options));
    expect({ rows: rows.length, open: id !== '0' }).toEqual(expected);
  });

  it('keep a batch within 16 MiB', () => {
    const cursors = new OpenCursors();
    const first = read(cursors.open('a', namespace, rowsOf(5, 5 * 2 ** 20), all));
    expect(first.rows).toEqual([0, 1, 2]);
    expect(read(cursors.read('a', first.id, namespace, null)).rows).toEqual([3, 4]);
  });

  it('are read and closed by their owner alone', () => {
    const cursors = new OpenCursors();
    const { id } = read(cursors.open('a', namespace, rowsOf(5), { size: 1, single: false }));
    expect(() => cursors.read('b', id, namespace, null)).toThrow('There is no cursor');
    expect(cursors.close('b', id)).toBe(false);
    expect(() => cursors.read('a', id, 'sensorData.other', null)).toThrow('not of');
    expect(cursors.close('a', id)).toBe(true);
    expect(cursors.close('a', id)).toBe(false);
  });

  it('end after ten minutes without use', () => {
    const cursors = new OpenCursors();
    const { id } = read(cursors.open('a', namespace, rowsOf(5), { size: 1, single: false }));
    vi.advanceTimersByTime(9 * 60_000);
    cursors.read('a', id, namespace, 1);
    vi.advanceTimersByTime(9 * 60_000);
    cursors.read('a', id, namespace, 1);
    vi.advanceTimersByTime(11 * 60_000);
    expect(() => cursors.read('a', id, namespace, 1)).toThrow('idle too long');
  });

  it('make room: the one of the same owner that waited longest goes first', () => {
    const cursors = new OpenCursors();
    const open = (owner: string) => read(cursors.open(owner, namespace, rowsOf(2), { size: 1, single: false })).id;
    const others = open('b');
    const ids = Array.from({ length: 100 }, () => open('a'));
    cursors.close('a', ids[1]!);
    const [second, third] = [open('a'), open('a')];
    expect(() => cursors.read('a', ids[0]!, namespace, 1)).toThrow('There is no cursor');
    expect([others, ids[2]!, second, third].map((id) => cursors.close(id === others ? 'b' : 'a', id))).toEqual(
      Array(4).fill(true),
    );
  });
});
