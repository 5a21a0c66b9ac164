import { expect, it } from 'vitest';
import type { TruthSource } from '../ports/truth-source.ts';
import { joinedTruth } from './joined-truth.ts';

const source = (name: string, ids: readonly string[]): TruthSource => ({
  sets: async () => ids.map((id) => ({ id, name: id })),
  images: async (setId) => [{ id: `${name} ${setId}` }] as never,
  bytes: async (setId, [id]) => new Map([[id!, new TextEncoder().encode(`${name} ${setId}`)]]),
  pairs: async (setId) => [{ label: name, modelLabel: setId }],
  keepPairs: async (setId) => {
    throw new Error(`${name} ${setId}`);
  },
  editorHref: (setId) => `#/${name}/${setId}`,
});

it('lists all sets, and asks for each the source that has it', async () => {
  const joined = joinedTruth([source('stored', ['yard']), source('kept', ['captures'])]);
  const { signal } = new AbortController();
  expect((await joined.sets(signal)).map(({ id }) => id)).toEqual(['yard', 'captures']);
  for (const [set, owner] of [
    ['yard', 'stored'],
    ['captures', 'kept'],
  ] as const) {
    expect(await joined.images(set, signal)).toEqual([{ id: `${owner} ${set}` }]);
    expect(new TextDecoder().decode((await joined.bytes(set, ['a'], signal)).get('a'))).toBe(`${owner} ${set}`);
    expect(await joined.pairs(set, signal)).toEqual([{ label: owner, modelLabel: set }]);
    await expect(joined.keepPairs(set, [])).rejects.toThrow(`${owner} ${set}`);
    expect(joined.editorHref(set, 'a')).toBe(`#/${owner}/${set}`);
  }
});
