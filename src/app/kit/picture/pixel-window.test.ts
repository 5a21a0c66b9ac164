import { describe, expect, it } from 'vitest';
import { moveHandle, type WindowHandle } from './pixel-window.ts';

const size = { widthPx: 640, heightPx: 480 };
const window = { xMin: 100, yMin: 50, xMax: 300, yMax: 150 };

describe('moveHandle', () => {
  it.each<[WindowHandle, number, number, number[]]>([
    ['', 10.4, -5.6, [110, 44, 310, 144]],
    ['', -1000, 1000, [0, 380, 200, 480]],
    ['se', 1000, 1000, [100, 50, 640, 480]],
    ['nw', 1000, -1000, [299, 0, 300, 150]],
    ['e', -1000, 33, [100, 50, 101, 150]],
    ['n', 20, 7, [100, 57, 300, 150]],
  ])('%s by %d, %d', (handle, x, y, expected) => {
    expect(Object.values(moveHandle(window, handle, x, y, size))).toEqual(expected);
  });
});
