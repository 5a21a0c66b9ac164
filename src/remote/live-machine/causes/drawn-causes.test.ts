import { describe, expect, it } from 'vitest';
import { tryMany } from '../../../../tests/drawn-causes.ts';

/** `npm run bench causes` tries hundreds. */
describe('of things drawn by lot that the bench has otherwise than the machine', () => {
  it('one is named right, and alone', async () => {
    const { right, of, others } = await tryMany(26, { count: 1, seed: 11 });
    expect(right, others.join('\n')).toBeGreaterThanOrEqual(0.95 * of);
  });

  it('two are both named, or it is said that more differs, and never another one or one of them as if it were all', async () => {
    const { right, wrong, others } = await tryMany(20, { count: 2, seed: 12 });
    expect(others.slice(0, wrong)).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(12);
  });

  it('none is named wrong where the machine’s model cannot be asked', async () => {
    const { wrong, others } = await tryMany(8, { count: 1, seed: 13, knowsModel: false });
    expect(others.slice(0, wrong)).toEqual([]);
  });
});
