import { describe, expect, it } from 'vitest';
import { statedPicture } from './turned-with-picture.ts';

describe('statedPicture', () => {
  const across = {
    stored: { widthPx: 16, heightPx: 8 },
    sizePx: { widthPx: 8, heightPx: 16 },
    orientation: 6,
  } as const;
  const header = { kind: 'jpeg', orientationAt: null, ...across } as const;
  const square = { ...header, stored: { widthPx: 8, heightPx: 8 }, sizePx: { widthPx: 8, heightPx: 8 } };
  it.each([
    ['the stored size of a picture that is shown across', across.stored, header, across.sizePx, 6],
    ['its shown size', across.sizePx, header, across.sizePx, 1],
    ['its width alone', { widthPx: 16, heightPx: 9 }, header, { widthPx: 16, heightPx: 9 }, 1],
    ['its height alone', { widthPx: 15, heightPx: 8 }, header, { widthPx: 15, heightPx: 8 }, 1],
    ['the size of a square', square.stored, square, square.sizePx, 1],
    ['the stored size of one upside down', across.stored, { ...header, orientation: 3 as const }, across.stored, 1],
    ['no size', null, header, across.sizePx, 1],
    ['a size of an unknown picture', across.stored, null, across.stored, 1],
    ['nothing of an unknown picture', null, null, null, 1],
  ])('takes %s', (_, stated, of, sizePx, orientation) => {
    expect(statedPicture(stated, of)).toEqual({ sizePx, orientation });
  });
});
