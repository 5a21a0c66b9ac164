import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../../../tests/memory-storage.ts';
import { emptySplits, mendEmptySplits, planSplits } from './plan-splits.ts';
import { defaultSplit, recallSplit, rememberSplit } from './split-settings.ts';

const settings = { ...defaultSplit, isOn: true };
const picture = (at: number, fields: object = {}) => ({
  contentId: `p${at}`,
  source: 'camera' as string | null,
  timeMs: null as number | null,
  tags: [] as readonly string[],
  fileName: `p${at}.jpg`,
  boxes: [],
  classifications: [],
  ...fields,
});
const many = Array.from({ length: 1000 }, (_, at) => picture(at));

describe('planSplits', () => {
  it('meets the shares, and the same every time', () => {
    const { counts, splits, groupCount } = planSplits(many, [], settings);
    expect(counts).toEqual({ train: 800, val: 100, test: 100 });
    expect(groupCount).toBe(0);
    expect(planSplits(many.toReversed(), [], settings).splits.get('p7')).toBe(splits.get('p7'));
  });

  it('keeps bursts of one source together, and pictures without a time out of them', () => {
    const burst = [0, 1, 2].map((at) => picture(at, { timeMs: at * 1500 }));
    const other = picture(3, { timeMs: 1000, source: 'other' });
    const planned = planSplits([...burst, other, picture(4), picture(5)], [], settings);
    expect([planned.groupCount, planned.groupedCount]).toEqual([1, 3]);
    expect(new Set(burst.map(({ contentId }) => planned.splits.get(contentId))).size).toBe(1);
    expect(planSplits(burst, [], { ...settings, burstSeconds: 0 }).groupCount).toBe(0);
  });

  it('takes files of one time for no burst', () => {
    const copied = many.slice(0, 40).map((one) => ({ ...one, source: null, timeMs: 1_700_000_000_000 }));
    const planned = planSplits(copied, [], settings);
    expect([planned.groupCount, planned.counts]).toEqual([0, { train: 32, val: 4, test: 4 }]);
  });

  it('keeps near duplicates together, if so wished', () => {
    const nearDuplicates = [many.slice(0, 40).map(({ contentId }) => contentId)];
    const { splits } = planSplits(many, nearDuplicates, settings);
    expect(new Set(nearDuplicates[0]!.map((id) => splits.get(id))).size).toBe(1);
    expect(planSplits(many, nearDuplicates, { ...settings, keepsAlike: false }).groupCount).toBe(0);
  });

  it('keeps days and videos together, if so wished', () => {
    const day = (at: number) => new Date(2026, 4, 1 + (at % 4), 9 + at).getTime();
    const pictures = [0, 1, 2, 3, 4, 5, 6, 7].map((at) => picture(at, { timeMs: day(at), fileName: `yard-${at}.jpg` }));
    expect(planSplits(pictures, [], settings).groupCount).toBe(0);
    expect(planSplits(pictures, [], { ...settings, keepsDays: true }).groupCount).toBe(4);
    expect(planSplits(pictures, [], { ...settings, keepsVideos: true }).groupedCount).toBe(8);
  });

  it('keeps a sequence together that is tagged so, unless it is not wished', () => {
    const frames = many.map((one, at) => ({
      ...one,
      fileName: `${at}.jpg`,
      tags: at % 20 === 0 ? ['sequence:walk'] : [],
    }));
    const inSequence = frames.filter(({ tags }) => tags.length > 0).map(({ contentId }) => contentId);
    const splitsOfIt = (changes: object) => {
      const { splits } = planSplits(frames, [], { ...settings, ...changes });
      return new Set(inSequence.map((id) => splits.get(id))).size;
    };
    expect([splitsOfIt({}), splitsOfIt({ keepsSequences: false })]).toEqual([1, 3]);
    // Settings that were stored before `keepsSequences` existed.
    const memory = memoryStorage();
    memory.setItem('sightglass:split-a', JSON.stringify({ train: 70, keepsVideos: false }));
    expect(recallSplit(memory, 'a').keepsSequences).toBe(true);
  });

  it('gives each label its share, if so wished', () => {
    const labelled = many
      .slice(0, 100)
      .map((one, at) => ({ ...one, boxes: at < 10 ? [{ label: 'cup' } as never] : [] }));
    const cups = labelled.slice(0, 10).map(({ contentId }) => contentId);
    const { splits, counts } = planSplits(labelled, [], settings);
    expect(counts).toEqual({ train: 80, val: 10, test: 10 });
    expect(cups.filter((id) => splits.get(id) === 'train').length).toBe(8);
    expect(cups.filter((id) => splits.get(id) === 'val').length).toBe(1);
  });

  it('leaves tagged pictures where they are, unless they are tagged twice', () => {
    const tagged = [picture(0, { tags: ['test', 'dusk'] }), picture(1, { tags: ['val', 'train'] })];
    const ratios = { ...settings, train: 1, val: 0, test: 0 };
    expect([...planSplits(tagged, [], ratios).splits.values()]).toEqual(['test', 'train']);
    expect([...planSplits(tagged, [], { ...ratios, followsTags: false }).splits.values()]).toEqual(['train', 'train']);
  });
});

describe('splits without images', () => {
  const burst = many.slice(0, 40).map((one, at) => ({ ...one, timeMs: (at * 100) as number | null }));
  const ids = burst.map(({ contentId }) => contentId);
  const sequence = burst.map((one) => ({ ...one, timeMs: null, tags: ['sequence:walk'] }));
  const tagged = burst.map((one) => ({ ...one, timeMs: null, tags: ['train'] }));
  const emptyOf = (pictures: typeof burst, nearDuplicates: string[][], changes: object = {}) => {
    const changed = { ...settings, ...changes };
    return emptySplits(planSplits(pictures, nearDuplicates, changed), changed);
  };

  it('are those with a share and no image', () => {
    expect(emptyOf(burst, [])).toEqual(['val', 'test']);
    expect(emptyOf(burst, [], { test: 0 })).toEqual(['val']);
    expect(emptyOf(burst, [], { val: 0, test: 0 })).toEqual([]);
    expect(emptyOf([], [])).toEqual([]);
    expect(emptyOf(many, [])).toEqual([]);
  });

  it.each([
    ['a burst', burst, [], {}, 'Divide the images of a burst'],
    ['near duplicates', burst, [ids], { burstSeconds: 0 }, 'Divide near duplicates'],
    ['a burst of near duplicates', burst, [ids], {}, 'Divide all groups'],
    ['a day', burst, [], { burstSeconds: 0, keepsDays: true }, 'Divide the images of a day'],
    ['a video', burst, [], { burstSeconds: 0, keepsVideos: true }, 'Divide the frames of a video'],
    ['a sequence', sequence, [], {}, 'Divide the frames of a sequence'],
    ['tags', tagged, [], {}, 'Move images that are tagged train, val or test'],
  ] as const)('are filled where %s left them without', (_, pictures, nearDuplicates, changes, text) => {
    const mend = mendEmptySplits(pictures, nearDuplicates, { ...settings, ...changes });
    expect(mend?.text).toBe(text);
    expect(emptyOf([...pictures], nearDuplicates as never, { ...changes, ...mend?.changes })).toEqual([]);
  });

  it('are not to be filled by too few images, and need nothing where there are none', () => {
    expect(mendEmptySplits(many.slice(0, 2), [], settings)).toBeNull();
    expect(mendEmptySplits(many, [], settings)).toBeNull();
  });
});

describe('split settings', () => {
  it('come back for their dataset, and not where they make no sense', () => {
    const memory = memoryStorage();
    rememberSplit(memory, 'a', { ...settings, seed: '9' });
    rememberSplit(memory, 'b', { ...settings, train: -1 });
    expect(recallSplit(memory, 'a')).toEqual({ ...settings, seed: '9' });
    expect(recallSplit(memory, 'b')).toEqual(defaultSplit);
    expect(recallSplit(memory, 'c')).toEqual(defaultSplit);
  });
});
