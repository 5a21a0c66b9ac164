import { describe, expect, it } from 'vitest';
import { BrowserQueries, type QueryStorage } from './browser-queries.svelte.ts';

/** A Storage that holds `room` characters, and an entry of another part of the page. */
function storageOf(room = Infinity): QueryStorage {
  const entries = new Map([['sightglass:theme', '"dark"']]);
  const used = () => [...entries].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return {
    get length() {
      return entries.size;
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem(key, value) {
      const before = entries.get(key);
      entries.set(key, value);
      if (used() <= room) return;
      if (before === undefined) entries.delete(key);
      else entries.set(key, before);
      throw new DOMException('exceeded', 'QuotaExceededError');
    },
    removeItem: (key) => void entries.delete(key),
  };
}

const kept = ({ queries }: BrowserQueries): Record<string, string> =>
  Object.fromEntries(queries.map(({ name, text }) => [name, text]));

const blocked = (): never => {
  throw new DOMException('blocked', 'SecurityError');
};

describe('SQL queries in the browser', () => {
  it('are there after a reload, in the order of their names, each with its beginning', async () => {
    const storage = storageOf();
    const queries = new BrowserQueries(() => storage);
    expect(queries.queries).toEqual([]);
    await queries.save('wide', 'SELECT *\n  FROM readings');
    await queries.save('änder', 'SELECT 1');
    const reloaded = new BrowserQueries(() => storage);
    expect(reloaded.queries.map(({ name, summary }) => [name, summary])).toEqual([
      ['änder', 'SELECT 1'],
      ['wide', 'SELECT * FROM readings'],
    ]);
    expect(kept(reloaded)['wide']).toBe('SELECT *\n  FROM readings');
  });

  it('are replaced, renamed and deleted, and every change can be taken back', async () => {
    const storage = storageOf();
    const queries = new BrowserQueries(() => storage);
    const unsave = await queries.save('a', '1');
    const unreplace = await queries.save('a', '2');
    expect(kept(queries)).toEqual({ a: '2' });
    const unrename = await queries.rename(queries.queries[0]!, 'b');
    expect(kept(queries)).toEqual({ b: '2' });
    const undelete = await queries.delete(queries.queries[0]!);
    expect(kept(queries)).toEqual({});
    for (const [undo, expected] of [
      [undelete, { b: '2' }],
      [unrename, { a: '2' }],
      [unreplace, { a: '1' }],
      [unsave, {}],
    ] as const) {
      await undo();
      expect(kept(queries)).toEqual(expected);
    }
  });

  it('of two tabs lose nothing of each other', async () => {
    const storage = storageOf();
    const [one, other] = [new BrowserQueries(() => storage), new BrowserQueries(() => storage)];
    await one.save('a', '1');
    await other.save('b', '2');
    await one.read();
    expect(kept(one)).toEqual({ a: '1', b: '2' });

    const [a] = one.queries;
    await other.save('a', 'newer');
    await one.rename(a!, 'c');
    expect(kept(one)).toEqual({ b: '2', c: 'newer' });
    await expect(other.rename(a!, 'd')).rejects.toMatchObject({ code: 'gone' });
    expect(kept(other)).toEqual({ b: '2', c: 'newer' });
  });

  it('take no name that another has', async () => {
    const storage = storageOf();
    const queries = new BrowserQueries(() => storage);
    await queries.save('a', '1');
    await queries.save('b', '2');
    await expect(queries.rename(queries.queries[0]!, 'b')).rejects.toMatchObject({ code: 'name-taken' });
    const undelete = await queries.delete(queries.queries[0]!);
    await queries.save('a', 'another');
    await expect(undelete()).rejects.toMatchObject({ code: 'name-taken' });
    expect(kept(queries)).toEqual({ a: 'another', b: '2' });
  });

  it('say that there is no room, and stay as they were', async () => {
    const storage = storageOf(100);
    const queries = new BrowserQueries(() => storage);
    await queries.save('a', 'x'.repeat(40));
    for (const change of [
      () => queries.save('a', 'y'.repeat(80)),
      () => queries.save('b', 'y'.repeat(80)),
      () => queries.rename(queries.queries[0]!, 'a longer name'),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'full', message: expect.stringContaining('no room') });
    expect(kept(queries)).toEqual({ a: 'x'.repeat(40) });
    expect(storage.getItem('sightglass:theme')).toBe('"dark"');
  });

  it('are none where the browser keeps nothing, and saving says so', async () => {
    const queries = new BrowserQueries(blocked);
    expect(queries.queries).toEqual([]);
    await expect(queries.save('a', '1')).rejects.toMatchObject({ code: 'refused' });
  });
});
