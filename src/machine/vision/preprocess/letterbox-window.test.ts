import { expect, it } from 'vitest';
import { hasBorder, letterboxWindow } from './letterbox-window.ts';

it.each([
  [{ widthPx: 1280, heightPx: 720 }, { widthPx: 416, heightPx: 416 }, 'top-left', [416, 234, 0, 0]],
  [{ widthPx: 640, heightPx: 427 }, { widthPx: 640, heightPx: 640 }, 'centre', [640, 427, 0, 106]],
  [{ widthPx: 3, heightPx: 4 }, { widthPx: 64, heightPx: 64 }, 'centre', [48, 64, 8, 0]],
  [{ widthPx: 3000, heightPx: 1 }, { widthPx: 64, heightPx: 64 }, 'top-left', [64, 1, 0, 0]],
  // 23 · (416 / 23) is a little below 416.
  [{ widthPx: 23, heightPx: 23 }, { widthPx: 416, heightPx: 416 }, 'top-left', [416, 416, 0, 0]],
] as const)('a frame of %o lies in %o, %s', (frame, input, at, [widthPx, heightPx, leftPx, topPx]) => {
  const window = letterboxWindow(frame, input, at);
  expect(window).toEqual({ widthPx, heightPx, leftPx, topPx });
  expect(hasBorder(window, input)).toBe(widthPx < input.widthPx || heightPx < input.heightPx);
});

it.each([
  ['round', 'after', [640, 427, 0, 106]],
  ['round', 'before', [640, 427, 0, 107]],
  ['floor', 'after', [640, 426, 0, 107]],
] as const)('rounds sizes by %s and puts an odd pixel %s', (sizes, odd, [widthPx, heightPx, leftPx, topPx]) => {
  const [frame, input] = [
    { widthPx: 1000, heightPx: 667 },
    { widthPx: 640, heightPx: 640 },
  ];
  expect(letterboxWindow(frame, input, 'centre', { sizes, odd })).toEqual({ widthPx, heightPx, leftPx, topPx });
});
