import { describe, expect, it } from 'vitest';
import type { SeenByServices } from './decide-image.ts';
import type { FilterRule } from './filter-rule.ts';
import { filterStart, filterStep, type FilterEvent } from './filter-step.ts';

const rule: FilterRule = {
  camera: 'cam',
  inhibitors: [],
  acceptors: [{ vision: 'eyes', inhibit: false, classifications: {}, objects: { dog: 0.5 } }],
  beforeMs: 2000,
  afterMs: 1000,
  cooldownMs: 0,
  imageFrequencyHz: 1,
  ringSize: 9,
};
const seen = (score: number): SeenByServices => ({
  eyes: { classifications: null, detections: [{ label: 'dog', score }] },
});

type Call = readonly [kind: 'store' | 'dog' | 'none' | 'broken', timeMs: number, ...images: string[]];

/** A line an event: its verdict, and what is kept, each with the first letter of its role. */
function play(given: Partial<FilterRule>, ...calls: readonly Call[]): string[] {
  let state = filterStart<string>();
  return calls.map(([kind, timeMs, ...images]) => {
    const named = images.length > 0 ? images : [`${timeMs}`];
    const says = { dog: seen(0.9), none: seen(0.1), broken: {}, store: {} }[kind];
    const event: FilterEvent<string> =
      kind === 'store'
        ? { kind: 'background', timeMs, images: named }
        : { kind: 'capture', timeMs, images: named.map((image) => ({ image, seen: says })) };
    const step = filterStep({ ...rule, ...given }, state, event);
    state = step.state;
    const { verdict, kept, capturedAtMs } = step.outcome;
    const images_ = kept.map(({ image, role, trigger }) => `${image}${role[0]}${trigger}`);
    return [verdict, ...images_, ...(capturedAtMs === null ? [] : [`@${capturedAtMs}`])].join(' ');
  });
}

describe('filterStep', () => {
  it('keeps what the ring buffer has of the time before a trigger, its first moment included', () => {
    const calls: Call[] = [
      ['store', 999],
      ['store', 1000],
      ['store', 2500],
      ['dog', 3000],
    ];
    expect(play({}, ...calls)).toEqual(['buffered', 'buffered', 'buffered', 'triggered 1000b0 2500b0 3000t0 @1000']);
  });

  it('keeps the window after it, its last moment included, without asking the filter', () => {
    const calls: Call[] = [
      ['dog', 3000],
      ['store', 3500],
      ['broken', 4000, 'x'],
      ['store', 4001],
      ['none', 4001, 'y'],
    ];
    expect(play({}, ...calls)).toEqual([
      'triggered 3000t0 @3000',
      'stored',
      'window 3500a0 @3500',
      'buffered',
      'held-back',
    ]);
  });

  it('takes from the ring buffer what was taken while the services answered, up to the last moment of the window', () => {
    const calls: Call[] = [
      ['store', 4000],
      ['store', 4001],
      ['dog', 3000],
    ];
    expect(play({}, ...calls).at(-1)).toBe('triggered 4000a0 3000t0 @3000');
  });

  it('gives the image at hand in a window where none waits', () => {
    expect(play({}, ['dog', 3000], ['none', 3500, 'p', 'q'])).toEqual([
      'triggered 3000t0 @3000',
      'window pa0 qa0 @3500',
    ]);
  });

  it('lets no trigger prolong a window', () => {
    const calls: Call[] = [
      ['dog', 0],
      ['dog', 1000],
      ['none', 1001],
    ];
    expect(play({}, ...calls)).toEqual(['triggered 0t0 @0', 'window 1000a0 @1000', 'held-back']);
  });

  it('gives what still waits after the window, also in the cool-down', () => {
    const calls: Call[] = [
      ['dog', 0],
      ['store', 900],
      ['none', 1500],
    ];
    expect(play({}, ...calls).at(-1)).toBe('held-back 900a0 @900');
    expect(play({ cooldownMs: 1000 }, ...calls).at(-1)).toBe('cooldown 900a0 @900');
  });

  it('asks nothing until the cool-down is over, its last moment included', () => {
    const calls: Call[] = [
      ['dog', 0],
      ['broken', 1001],
      ['dog', 3000, 'x'],
      ['dog', 3001],
    ];
    expect(play({ cooldownMs: 2000 }, ...calls)).toEqual([
      'triggered 0t0 @0',
      'cooldown',
      'cooldown',
      'triggered 3001t1 @3001',
    ]);
  });

  it('has what came in the cool-down in the window before the next trigger', () => {
    const calls: Call[] = [
      ['dog', 0],
      ['store', 2500],
      ['dog', 3500],
    ];
    expect(play({ cooldownMs: 2000 }, ...calls).at(-1)).toBe('triggered 2500b1 3500t1 @2500');
  });

  it('drops the oldest of a full ring buffer', () => {
    const calls: Call[] = [
      ['store', 1],
      ['store', 2],
      ['store', 3],
      ['dog', 4],
    ];
    expect(play({ ringSize: 2 }, ...calls).at(-1)).toBe('triggered 2b0 3b0 4t0 @2');
    expect(play({ ringSize: 0 }, ...calls).at(-1)).toBe('triggered 4t0 @4');
  });

  it('keeps a trigger in the ring buffer where time ran back to before the window, until the next one', () => {
    const calls: Call[] = [
      ['dog', 5000],
      ['dog', 2900],
      ['store', 3500],
      ['dog', 4000],
    ];
    expect(play({}, ...calls)).toEqual([
      'triggered 5000t0 @5000',
      'triggered',
      'stored',
      'triggered 3500a1 2900t1 4000t2 @2900',
    ]);
  });

  it('names an image of the window by its time, also where it comes late', () => {
    expect(play({}, ['dog', 3000], ['store', 2500], ['store', 3500], ['none', 3600]).at(-1)).toBe(
      'window 2500b0 3500a0 @2500',
    );
  });

  it('keeps only the image that triggers, of several of a camera', () => {
    const state = filterStart<string>();
    const images = [
      { image: 'depth', seen: seen(0.1) },
      { image: 'color', seen: seen(0.9) },
      { image: 'never asked', seen: {} },
    ];
    const { outcome } = filterStep(rule, state, { kind: 'capture', timeMs: 0, images });
    expect(outcome.decisions.map(({ verdict }) => verdict)).toEqual(['nothing', 'accepted']);
    const annotations = [{ label: 'dog', score: 0.9, at: 0, key: 'dog' }];
    expect(outcome.kept).toEqual([{ image: 'color', timeMs: 0, role: 'trigger', trigger: 0, annotations }]);
  });

  it('annotates the trigger alone', () => {
    const stored = filterStep(rule, filterStart<string>(), { kind: 'background', timeMs: 0, images: ['a'] });
    const event = { kind: 'capture' as const, timeMs: 1, images: [{ image: 'b', seen: seen(0.9) }] };
    const { outcome } = filterStep(rule, stored.state, event);
    expect(outcome.kept.map(({ annotations }) => annotations.length)).toEqual([0, 1]);
  });

  it('gives nothing where a service fails, and keeps what waits', () => {
    const calls: Call[] = [
      ['dog', 0],
      ['store', 900],
      ['broken', 1500],
      ['none', 1600],
    ];
    expect(play({}, ...calls).slice(2)).toEqual(['failed', 'held-back 900a0 @900']);
  });

  it('leaves the state before it unchanged', () => {
    const state = filterStart<string>();
    filterStep(rule, state, { kind: 'background', timeMs: 0, images: ['a'] });
    expect(state.ring).toEqual([]);
  });
});
