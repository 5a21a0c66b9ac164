import { describe, expect, it } from 'vitest';
import { memoryStorage } from '../../../../../tests/memory-storage.ts';
import { BoxClipboard } from './box-clipboard.ts';

const box = {
  label: 'cup',
  confidence: 0.5,
  xMinNormalized: 0.1,
  yMinNormalized: 0.2,
  xMaxNormalized: 0.3,
  yMaxNormalized: 0.4,
};
const size = { widthPx: 200, heightPx: 100 };

describe('the clipboard of boxes', () => {
  it('gives to another window of the browser what was copied last', () => {
    const memory = memoryStorage();
    expect(new BoxClipboard(memory).read()).toBeNull();
    new BoxClipboard(memory).write({ boxes: [{ ...box, label: 'plate' }], size });
    new BoxClipboard(memory).write({ boxes: [box], size });
    expect(new BoxClipboard(memory).read()).toEqual({ boxes: [box], size });
  });

  it.each([
    ['no size', { boxes: [{ label: 'cup', confidence: null, xMin: 0, yMin: 0, xMax: 1, yMax: 1 }] }],
    [
      'an image without height',
      { widthPx: 2, heightPx: 0, boxes: [{ label: 'cup', confidence: null, xMin: 0, yMin: 0, xMax: 1, yMax: 1 }] },
    ],
    ['no boxes', { widthPx: 2, heightPx: 1, boxes: [] }],
    ['what is no list', { widthPx: 2, heightPx: 1, boxes: 'cup' }],
    ['a hole', { widthPx: 2, heightPx: 1, boxes: [null] }],
    ['a corner outside', { widthPx: 2, heightPx: 1, boxes: [{ label: '', xMin: 0, yMin: 0, xMax: 2, yMax: 1 }] }],
  ])('takes %s for nothing copied', (_, written) => {
    const memory = memoryStorage();
    memory.setItem('sightglass:annotate-copied', JSON.stringify(written));
    expect(new BoxClipboard(memory).read()).toBeNull();
  });
});
