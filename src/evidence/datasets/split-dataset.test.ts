import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Split } from './item/dataset-item.ts';
import { groupBursts, groupDays, groupSequences, groupVideos, joinGroups } from './item/group-pictures.ts';
import { splitGroups, type SplitPicture } from './split-dataset.ts';

const ratios = { train: 80, val: 10, test: 10 };
const named = (count: number) => Array.from({ length: count }, (_, i) => `org/loc/${i}`);
const plain = (contentId: string): SplitPicture => ({ contentId, labels: [] });
const singles = (ids: readonly string[]) => ids.map((id) => [plain(id)]);

function countsOf(splits: ReadonlyMap<string, Split>, ids: Iterable<string> = splits.keys()): number[] {
  const counts = { train: 0, val: 0, test: 0 };
  for (const id of ids) counts[splits.get(id)!]++;
  return Object.values(counts);
}

describe('splitGroups', () => {
  it.each([
    [40, ratios, [32, 4, 4]],
    [10, { train: 7, val: 2, test: 1 }, [7, 2, 1]],
    [7, { train: 1, val: 1, test: 1 }, [3, 2, 2]],
    [1, ratios, [1, 0, 0]],
    [0, ratios, [0, 0, 0]],
    [25, { train: 1, val: 0, test: 1 }, [13, 0, 12]],
    [1000, { train: 70, val: 20, test: 10 }, [700, 200, 100]],
  ])('splits %i pictures at %j exactly', (count, shares, counts) => {
    expect(countsOf(splitGroups(singles(named(count)), shares, 'seed'))).toEqual(counts);
  });

  it('puts a group where its label is lacked, even where it just fits', () => {
    const pair = (name: string, ...labels: string[]) => [1, 2].map((n) => ({ contentId: `${name}${n}`, labels }));
    const groups = [pair('a', 'x'), pair('b', 'x'), pair('c', 'x'), pair('d'), pair('e')];
    const before = new Map<string, Split>(['a1', 'a2', 'b1', 'b2'].map((id) => [id, 'train']));
    // train gets 8 of 10 pictures, so the label's last pair goes to val.
    const splits = splitGroups(groups, { train: 80, val: 20, test: 0 }, 'seed', before);
    expect(['c1', 'c2', 'd1', 'e1'].map((id) => splits.get(id))).toEqual(['val', 'val', 'train', 'train']);
  });

  it('is what it was, on every machine and in every version', () => {
    // the order of int(sha256(b"42\norg/loc/0").hexdigest()[:13], 16), computed by Python
    const splits = splitGroups(singles(named(6)), { train: 1, val: 1, test: 1 }, '42');
    expect(named(6).map((id) => splits.get(id))).toEqual(['val', 'test', 'train', 'test', 'val', 'train']);
  });

  it('does not mind the order of pictures, and shuffles by seed', () => {
    const ids = named(500);
    const splits = splitGroups(singles(ids), ratios, 'a');
    expect(splitGroups(singles(ids.toReversed()), ratios, 'a')).toEqual(
      new Map(ids.toReversed().map((id) => [id, splits.get(id)])),
    );
    const other = splitGroups(singles(ids), ratios, 'b');
    expect(ids.filter((id) => splits.get(id) !== other.get(id)).length).toBeGreaterThan(100);
  });

  it('moves hardly any when one comes, and none that is said to be somewhere', () => {
    const ids = named(1000);
    const before = splitGroups(singles(ids), ratios, 's');
    const after = splitGroups(singles([...ids, 'new']), ratios, 's');
    expect(ids.filter((id) => before.get(id) !== after.get(id)).length).toBeLessThanOrEqual(2);
    const held = splitGroups(singles([...ids, ...named(1100).slice(1000)]), ratios, 's', before);
    expect(ids.filter((id) => before.get(id) !== held.get(id))).toEqual([]);
    expect(countsOf(held)).toEqual([880, 110, 110]);
  });

  it('gives each label its share in every split, rare ones too', () => {
    const pictures: SplitPicture[] = named(400).map((contentId, i) => ({
      contentId,
      labels: i % 20 === 0 ? ['rare', 'common'] : i % 4 === 0 ? ['middle'] : i % 4 === 1 ? ['common'] : [''],
    }));
    const splits = splitGroups(
      pictures.map((one) => [one]),
      ratios,
      's',
    );
    expect(countsOf(splits)).toEqual([320, 40, 40]);
    for (const [label, counts] of Object.entries({ rare: [16, 2, 2], common: [96, 12, 12], middle: [64, 8, 8] })) {
      const having = pictures.filter(({ labels }) => labels.includes(label));
      expect([
        label,
        countsOf(
          splits,
          having.map(({ contentId }) => contentId),
        ),
      ]).toEqual([label, counts]);
    }
  });

  it.each([
    [[6, 3, 1], { train: 6, val: 3, test: 1 }, [6, 3, 1]],
    [[1, 1, 8], { train: 8, val: 1, test: 1 }, [8, 1, 1]],
    [[5, 5], { train: 6, val: 4, test: 0 }, [5, 5, 0]],
    [[9], { train: 1, val: 8, test: 1 }, [0, 9, 0]],
    [[2, 2, 2], { train: 1, val: 1, test: 1 }, [2, 2, 2]],
  ])('fits groups of %j into %j as %j', (sizes, shares, counts) => {
    const groups = sizes.map((size, at) => Array.from({ length: size }, (_, i) => plain(`${at}-${i}`)));
    expect(countsOf(splitGroups(groups, shares, 's'))).toEqual(counts);
  });

  it('puts what goes with an assigned picture where that one is', () => {
    const assigned = new Map<string, Split>([['b', 'test'], ['d', 'val']]); // prettier-ignore
    const groups = [['a', 'b', 'c'], ['d', 'b2'], []].map((ids) => ids.map(plain));
    const splits = splitGroups(groups, ratios, 's', assigned);
    expect(Object.fromEntries(splits)).toEqual({ a: 'test', b: 'test', c: 'test', d: 'val', b2: 'val' });
  });

  it('lets what was assigned count for its split and its labels', () => {
    const having = named(20).map((contentId, i) => ({ contentId, labels: [i < 10 ? 'a' : 'b'] }));
    const assigned = new Map<string, Split>(named(10).map((id) => [id, 'train']));
    const splits = splitGroups(
      having.map((one) => [one]),
      { train: 1, val: 1, test: 0 },
      's',
      assigned,
    );
    expect(countsOf(splits)).toEqual([10, 10, 0]);
    expect(countsOf(splits, named(20).slice(10))).toEqual([0, 10, 0]);
  });

  it('gives an infinite share to nobody', () => {
    expect(() => splitGroups([], { train: Infinity, val: 1, test: 1 }, 's')).toThrow(
      'Splits of Infinity, 1 and 1 cannot be made: give shares of 0 or more, one above 0.',
    );
  });

  it('keeps groups together and what was assigned where it was, and is exact where one picture is a group', () => {
    const picture = fc.record({
      group: fc.nat(12),
      label: fc.constantFrom('', 'a', 'b'),
      held: fc.constantFrom(null, null, 'train', 'val', 'test'),
    });
    const shares = fc.record({ train: fc.integer({ min: 1, max: 9 }), val: fc.nat(9), test: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(picture, { maxLength: 60 }), shares, fc.boolean(), (pictures, wanted, grouped) => {
        const all = pictures.map(({ group, label, held }, i) => ({ contentId: `p${i}`, labels: [label], group, held }));
        const groups = grouped
          ? Array.from({ length: 13 }, (_, at) => all.filter(({ group }) => group === at))
          : all.map((one) => [one]);
        const assigned = new Map(
          all.flatMap(({ contentId, held }) => (held ? [[contentId, held as Split] as const] : [])),
        );
        const splits = splitGroups(groups, wanted, 's', assigned);
        expect(splits.size).toBe(all.length);
        for (const [id, split] of assigned) expect(splits.get(id)).toBe(split);
        for (const group of groups)
          if (group.length > 0 && group.every(({ held }) => held === null))
            expect(new Set(group.map(({ contentId }) => splits.get(contentId))).size).toBe(1);
        if (grouped || assigned.size > 0) return;
        const sum = wanted.train + wanted.val + wanted.test;
        countsOf(splits).forEach((count, at) =>
          expect(Math.abs(count - (all.length * [wanted.train, wanted.val, wanted.test][at]!) / sum)).toBeLessThan(1),
        );
      }),
      { seed: 20261130 },
    );
  });

  it.each([
    { train: 0, val: 0, test: 0 },
    { train: -1, val: 1, test: 1 },
    { train: NaN, val: 1, test: 1 },
  ])('refuses %j', (bad) => {
    expect(() => splitGroups([], bad, 's')).toThrow(RangeError);
  });
});

describe('groups of pictures', () => {
  const at = (contentId: string, capturedAtMs: number, source = 'cam') => ({ contentId, capturedAtMs, source });

  it('are captures of one source with small gaps between', () => {
    const captures = [at('c', 2500), at('a', 0), at('b', 1000), at('d', 1200, 'other'), at('e', 9000)];
    expect(groupBursts(captures, 1500)).toEqual([['a', 'b', 'c'], ['e'], ['d']]);
    expect(groupBursts(captures, 1000)).toEqual([['a', 'b'], ['c'], ['e'], ['d']]);
    expect(groupBursts([at('b', 5), at('a', 5), at('c', 5)], 0)).toEqual([['a', 'b', 'c']]);
    expect(groupBursts(captures, 999)).toEqual([['a'], ['b'], ['c'], ['e'], ['d']]);
  });

  it('are days, as the clock on the wall has them', () => {
    const day = (hour: number, date = 3) => new Date(2026, 4, date, hour, 30).getTime();
    const captures = [at('a', day(0)), at('b', day(23), 'other'), at('c', day(0, 4)), at('d', day(12, 4))];
    expect(groupDays(captures)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('are frames of a video, whose names differ in the last number', () => {
    const files = [
      'yard-000001.jpg',
      'yard-000002.jpg',
      'yard.jpg',
      'gate_frame12.png',
      'gate_frame7.png',
      '12.jpg',
      '13.jpg',
      'YARD-3.jpg',
    ];
    const pictures = files.map((fileName) => ({ contentId: fileName, fileName, tags: ['dusk'] }));
    expect(groupVideos(pictures)).toEqual([
      ['yard-000001.jpg', 'yard-000002.jpg', 'YARD-3.jpg'],
      ['gate_frame12.png', 'gate_frame7.png'],
    ]);
  });

  it('are frames of a sequence by their tag, whatever their names', () => {
    const frames = [
      ['a', 'frame-1.jpg', 'sequence:walk'],
      ['b', 'frame-2.jpg', 'sequence:run'],
      ['c', 'still.jpg', 'sequence:walk'],
      ['d', 'frame-3.jpg', 'night'],
      ['e', 'frame-4.jpg', 'sequence:'],
    ] as const;
    const pictures = frames.map(([contentId, fileName, tag]) => ({ contentId, fileName, tags: [tag] }));
    expect(groupSequences(pictures)).toEqual([['a', 'c'], ['b']]);
    expect(groupVideos(pictures)).toEqual([['d', 'e']]);
  });

  it('are one where they have members in common', () => {
    expect(joinGroups([['a', 'b'], ['c'], ['d']], [['b', 'c']])).toEqual([['a', 'b', 'c'], ['d']]);
  });
});
