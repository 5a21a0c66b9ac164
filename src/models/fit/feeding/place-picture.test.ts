import { describe, expect, it } from 'vitest';
import { placings } from './list-recipes.ts';
import { placedWindow, placePicture } from './place-picture.ts';
import type { Placing } from './recipe.ts';
import type { Raster } from './resize/raster.ts';

const letterbox = (more: Partial<Extract<Placing, { kind: 'letterbox' }>>): Placing => ({
  kind: 'letterbox',
  at: 'centre',
  sizes: 'round',
  odd: 'after',
  border: 114,
  ...more,
});
const input = { widthPx: 224, heightPx: 224 };

describe('placedWindow', () => {
  it.each<[string, Placing, [number, number], [number, number, number, number]]>([
    ['stretched', { kind: 'stretch' }, [640, 480], [224, 224, 0, 0]],
    ['Ultralytics', letterbox({}), [1000, 667], [224, 149, 0, 37]],
    ['sizes cut off', letterbox({ sizes: 'floor' }), [1000, 665], [224, 148, 0, 38]],
    ['an odd pixel before', letterbox({ odd: 'before' }), [1000, 667], [224, 149, 0, 38]],
    ['YOLOX', letterbox({ at: 'top-left', sizes: 'floor' }), [1000, 667], [224, 149, 0, 0]],
    // torchvision: Resize(256) makes int(256 · 640 / 480) = 341; CenterCrop begins at round(58.5) = 58 and 16.
    ['torchvision', { kind: 'crop', share: 0.875, cut: 'after' }, [640, 480], [341, 256, -58, -16]],
    ['the middle first', { kind: 'crop', share: 1, cut: 'before' }, [448, 224], [448, 224, -112, 0]],
  ])('%s', (_, placing, [widthPx, heightPx], [width, height, left, top]) => {
    const window = placedWindow(placing, { widthPx, heightPx }, input);
    expect(window).toEqual({ widthPx: width, heightPx: height, leftPx: left, topPx: top });
  });
});

describe('placePicture', () => {
  /** Red says x and green says y. */
  const gradient = (widthPx: number, heightPx: number): Raster => ({
    widthPx,
    heightPx,
    channels: 3,
    samples: Uint8ClampedArray.from({ length: 3 * widthPx * heightPx }, (_, at) => {
      const pixel = Math.floor(at / 3);
      return [(255 * (pixel % widthPx)) / widthPx, (255 * Math.floor(pixel / widthPx)) / heightPx, 7][at % 3]!;
    }),
  });

  it.each(placings.map((placing) => [JSON.stringify(placing), placing] as const))(
    'puts the picture where placedWindow says: %s',
    (_, placing) => {
      const [source, size] = [gradient(250, 131), { widthPx: 64, heightPx: 48 }];
      const { samples, ...placed } = placePicture(source, { resampler: 'pillow bilinear', placing }, size);
      expect(placed).toEqual({ ...size, channels: 3 });
      const { leftPx, topPx, widthPx, heightPx } = placedWindow(placing, source, size);
      for (const [x, y] of [
        [8, 20],
        [40, 30],
        [32, 24],
      ] as const) {
        const [red, green] = samples.subarray(3 * (64 * y + x));
        expect(Math.abs(red! - (255 * (x + 0.5 - leftPx)) / widthPx)).toBeLessThan(4);
        expect(Math.abs(green! - (255 * (y + 0.5 - topPx)) / heightPx)).toBeLessThan(4);
      }
      if (placing.kind === 'letterbox') expect(samples.at(-1)).toBe(placing.border);
      else expect(samples.at(-1)).toBe(7);
    },
  );
});
