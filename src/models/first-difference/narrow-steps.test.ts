import { describe, expect, it } from 'vitest';
import { chooseLook, crossing, lifetimesOf, narrowed, type OrderedStep, type Stretch } from './narrow-steps.ts';

/** a → t0 → t1 → … */
function chain(length: number): OrderedStep[] {
  return Array.from({ length }, (_, k) => ({ inputs: [k === 0 ? 'image' : `t${k - 1}`], outputs: [`t${k}`] }));
}

describe('crossing', () => {
  const steps: OrderedStep[] = [
    { inputs: ['image'], outputs: ['a'] },
    { inputs: ['a'], outputs: ['b', 'unread'] },
    { inputs: ['b'], outputs: ['c'] },
    { inputs: ['a', 'c'], outputs: ['d'] },
  ];
  const lifetimes = lifetimesOf(steps, new Set(['b', 'd']));

  it('holds what a later step reads, over all paths, and what leaves the model', () => {
    expect(crossing(lifetimes, 0)).toEqual([]);
    expect(crossing(lifetimes, 1)).toEqual(['a']);
    expect(crossing(lifetimes, 2)).toEqual(['a', 'b']);
    expect(crossing(lifetimes, 3)).toEqual(['a', 'b', 'c']);
    expect(crossing(lifetimes, 4)).toEqual(['b', 'd']);
  });
});

describe('chooseLook', () => {
  it('takes all results where they fit', () => {
    const look = chooseLook(chain(4), { agrees: 1, differs: 4 }, lifetimesOf(chain(4), new Set(['t3'])), () => 10, 40);
    expect(look).toEqual({ cuts: [2, 3], names: ['t0', 't1', 't2', 't3'], isWhole: true });
  });

  it('spreads cuts over the stretch where they do not', () => {
    const look = chooseLook(
      chain(100),
      { agrees: 0, differs: 100 },
      lifetimesOf(chain(100), new Set(['t99'])),
      () => 10,
      60,
    );
    expect(look.isWhole).toBe(false);
    expect(look.cuts.length).toBeGreaterThan(3);
    expect(look.names).toEqual(look.cuts.map((place) => `t${place - 1}`));
    expect(10 * look.names.length).toBeLessThanOrEqual(60);
  });

  it('still looks at one cut that is larger than the limit', () => {
    expect(
      chooseLook(chain(9), { agrees: 0, differs: 9 }, lifetimesOf(chain(9), new Set(['t8'])), () => 100, 60).cuts,
    ).toEqual([5]);
  });
});

describe('narrowed', () => {
  it('ends before the first cut that differs, though later ones agree again', () => {
    const seen = new Map([
      [30, true],
      [10, false],
      [20, true],
      [25, false],
    ]);
    expect(narrowed({ agrees: 0, differs: 40 }, seen)).toEqual({ agrees: 10, differs: 20 });
  });

  it('moves its start where all cuts agree, and ignores cuts outside', () => {
    const seen = new Map([
      [2, true],
      [7, false],
      [12, true],
    ]);
    expect(narrowed({ agrees: 5, differs: 12 }, seen)).toEqual({ agrees: 7, differs: 12 });
  });

  it('finds each wrong step of 600 in at most five looks of a twentieth of their results', () => {
    const steps = chain(600);
    const lifetimes = lifetimesOf(steps, new Set(['t599']));
    for (let wrong = 0; wrong < 600; wrong += 7) {
      let stretch: Stretch = { agrees: 0, differs: 600 };
      let looks = 0;
      for (let isWhole = false; !isWhole; looks++) {
        const look = chooseLook(steps, stretch, lifetimes, () => 1, 30);
        ({ isWhole } = look);
        stretch = narrowed(stretch, new Map(look.cuts.map((place) => [place, place > wrong])));
      }
      expect(stretch).toEqual({ agrees: wrong, differs: wrong + 1 });
      expect(looks).toBeLessThanOrEqual(5);
    }
  });
});
