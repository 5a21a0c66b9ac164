import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import { planSplits } from './plan-splits.ts';
import { defaultSplit, recallSplit, rememberSplit } from './split-settings.ts';

const settings = { ...defaultSplit, isOn: true };
const picture = (at: number, fields: object = {}) => ({
  contentId: `p${at}`,
  source: 'camera',
  timeMs: null as number | null,
  tags: [] as readonly string[],
  ...fields,
});
const many = Array.from({ length: 1000 }, (_, at) => picture(at));

describe('planSplits', () => {
  it('meets the shares by and large, and the same every time', () => {
    const { counts, splits, groupCount } = planSplits(many, [], settings);
    expect(counts.train + counts.val + counts.test).toBe(1000);
    expect(counts.train).toBeGreaterThan(760);
    expect(counts.train).toBeLessThan(840);
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

  it('keeps near duplicates together, if so wished', () => {
    const nearDuplicates = [many.slice(0, 40).map(({ contentId }) => contentId)];
    const { splits } = planSplits(many, nearDuplicates, settings);
    expect(new Set(nearDuplicates[0]!.map((id) => splits.get(id))).size).toBe(1);
    expect(planSplits(many, nearDuplicates, { ...settings, keepsAlike: false }).groupCount).toBe(0);
  });

  it('leaves tagged pictures where they are, unless they are tagged twice', () => {
    const tagged = [picture(0, { tags: ['test', 'dusk'] }), picture(1, { tags: ['val', 'train'] })];
    const ratios = { ...settings, train: 1, val: 0, test: 0 };
    expect([...planSplits(tagged, [], ratios).splits.values()]).toEqual(['test', 'train']);
    expect([...planSplits(tagged, [], { ...ratios, followsTags: false }).splits.values()]).toEqual(['train', 'train']);
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
