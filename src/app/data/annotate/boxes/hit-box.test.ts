import { describe, expect, it } from 'vitest';
import { handleAt, keysAt, nextUnder } from './hit-box.ts';

const rect = { x: 100, y: 50, width: 60, height: 40 };

describe('handleAt', () => {
  it.each([
    [100, 50, 'nw'],
    [94, 45, 'nw'],
    [130, 50, 'n'],
    [160, 70, 'e'],
    [165, 95, 'se'],
    [99, 71, 'w'],
    [130, 70, ''],
    [130, 41, null],
    [170, 70, null],
  ])('%d, %d is %o', (x, y, expected) => {
    expect(handleAt({ x, y }, rect, 8)).toBe(expected);
  });

  it('leaves the middle of a tiny box to moving it', () => {
    const tiny = { x: 0, y: 0, width: 9, height: 9 };
    expect(handleAt({ x: 4.5, y: 4.5 }, tiny, 22)).toBe('');
    expect(handleAt({ x: -15, y: 4.5 }, tiny, 22)).toBe('w');
  });
});

describe('what lies under a point', () => {
  const boxes = [
    { key: 'wide', rect: { x: 0, y: 0, width: 200, height: 200 } },
    { key: 'inside', rect },
    { key: 'beside', rect: { x: 300, y: 0, width: 10, height: 10 } },
  ];

  it('is the smallest first, and a click after the other goes through all', () => {
    const under = keysAt({ x: 120, y: 60 }, boxes, 3);
    expect(under).toEqual(['inside', 'wide']);
    expect(nextUnder(under, null)).toBe('inside');
    expect(nextUnder(under, 'inside')).toBe('wide');
    expect(nextUnder(under, 'wide')).toBe('inside');
    expect(nextUnder(under, 'beside')).toBe('inside');
  });

  it('is nothing beside all of them', () => {
    expect(nextUnder(keysAt({ x: 250, y: 250 }, boxes, 3), 'wide')).toBeNull();
  });
});
