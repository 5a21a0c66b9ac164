import { describe, expect, it } from 'vitest';
import { groupBursts, joinGroups } from './group-pictures.ts';
import { splitGroups, splitOf } from './split-dataset.ts';

const ratios = { train: 8, val: 1, test: 1 };
const ids = Array.from({ length: 10_000 }, (_, i) => `org/loc/${i}`);

describe('splitOf', () => {
  it('is what it was, on every machine and in every version', () => {
    // int(sha256(b"42\norg/loc/0").hexdigest()[:13], 16) / 2**52 in Python
    const splits = ids.slice(0, 6).map((id) => splitOf(id, { train: 1, val: 1, test: 1 }, '42'));
    expect(splits).toEqual(['val', 'val', 'train', 'test', 'val', 'val']);
  });

  it('keeps to the ratios within the luck of ten thousand', () => {
    const counts = { train: 0, val: 0, test: 0 };
    for (const id of ids) counts[splitOf(id, ratios, 'seed')]++;
    expect(Math.abs(counts.train - 8000)).toBeLessThan(160); // four standard deviations
    expect(Math.abs(counts.val - 1000)).toBeLessThan(120);
    expect(counts.train + counts.val + counts.test).toBe(10_000);
  });

  it('shuffles by seed, and moves only pictures at the border when ratios change', () => {
    const before = ids.map((id) => splitOf(id, { train: 7, val: 2, test: 1 }, 'a'));
    const wider = ids.map((id) => splitOf(id, { train: 8, val: 1, test: 1 }, 'a'));
    const moved = ids.filter((_, i) => before[i] !== wider[i]);
    expect(moved.length).toBeGreaterThan(800);
    expect(moved.length).toBeLessThan(1200);
    const other = ids.map((id) => splitOf(id, { train: 7, val: 2, test: 1 }, 'b'));
    expect(ids.filter((_, i) => before[i] !== other[i]).length).toBeGreaterThan(4000);
  });

  it.each([
    { train: 0, val: 0, test: 0 },
    { train: -1, val: 1, test: 1 },
    { train: NaN, val: 1, test: 1 },
  ])('refuses %j', (bad) => {
    expect(() => splitOf('a', bad, 's')).toThrow(RangeError);
  });

  it('gives nothing to a split of 0', () => {
    expect(new Set(ids.map((id) => splitOf(id, { train: 1, val: 0, test: 1 }, 's')))).toEqual(
      new Set(['train', 'test']),
    );
  });
});

describe('splitGroups', () => {
  it('keeps groups together, whatever the order of their members', () => {
    const groups = Array.from({ length: 100 }, (_, i) => ids.slice(10 * i, 10 * i + 10));
    const splits = splitGroups(groups, ratios, 's');
    for (const group of groups) expect(new Set(group.map((id) => splits.get(id))).size).toBe(1);
    expect(
      splitGroups(
        groups.map((group) => group.toReversed()),
        ratios,
        's',
      ),
    ).toEqual(splits);
  });

  it('moves nobody when a group grows, even at its small end', () => {
    const assigned = splitGroups([['m1', 'm2']], { train: 0, val: 0, test: 1 }, 's');
    const grown = splitGroups([['a0', 'm1', 'm2', 'z9']], { train: 1, val: 0, test: 0 }, 's', assigned);
    expect([...grown.values()]).toEqual(['test', 'test', 'test', 'test']);
  });
});

describe('groupBursts and joinGroups', () => {
  it('groups captures of one source with small gaps between', () => {
    const at = (contentId: string, capturedAtMs: number, source = 'cam') => ({ contentId, capturedAtMs, source });
    const captures = [at('c', 2500), at('a', 0), at('b', 1000), at('d', 1200, 'other'), at('e', 9000)];
    expect(groupBursts(captures, 1500)).toEqual([['a', 'b', 'c'], ['e'], ['d']]);
    expect(groupBursts(captures, 999)).toEqual([['a'], ['b'], ['c'], ['e'], ['d']]);
  });

  it('joins groupings through common members', () => {
    expect(joinGroups([['a', 'b'], ['c'], ['d']], [['b', 'c']])).toEqual([['a', 'b', 'c'], ['d']]);
  });
});
