import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../../tests/random-frame.ts';
import { degreesOf, machineHsv } from './machine-hsv.ts';
import { markPixels } from './mark-pixels.ts';
import { hueRange, pixelTest } from './pixel-test.ts';

type Rule = Parameters<typeof pixelTest>[0];

/** The machine's comparisons, in its own floating-point numbers. */
function passes(rule: Rule, red: number, green: number, blue: number): boolean {
  const { hue, saturation, value } = machineHsv(red, green, blue);
  if (saturation / 255 < rule.saturationCutoff || value / 255 < rule.valueCutoff) return false;
  const degrees = degreesOf(hue);
  const { from, to } = hueRange(rule);
  return from > to ? degrees <= to || degrees >= from : degrees >= from && degrees <= to;
}

describe('pixelTest', () => {
  const next = randomSource(4);
  const byte = (): number => Math.floor(next() * 256);
  const rules = Array.from({ length: 30 }, (_, at): Rule => {
    const { hue } = machineHsv(byte(), byte(), byte());
    const tolerance = [1e-9, 0.001, 0.02, 0.3, 0.999, 1][at % 6]!;
    return {
      hueDeg: degreesOf(hue),
      tolerance,
      saturationCutoff: 0.001 + next() * 0.4,
      valueCutoff: byte() / 400 + 0.001,
    };
  });
  const edges: readonly Rule[] = [
    { hueDeg: 0, tolerance: 0.25, saturationCutoff: 0.2, valueCutoff: 0.3 },
    { hueDeg: 60, tolerance: 1 / 3, saturationCutoff: 51 / 255, valueCutoff: 77 / 255 },
    { hueDeg: 359, tolerance: 0.01, saturationCutoff: 1, valueCutoff: 1 },
  ];

  it.each([...edges, ...rules])('decides as the machine’s comparisons: $hueDeg°, $tolerance', (rule) => {
    const test = pixelTest(rule);
    const colors = Array.from({ length: 4000 }, (_, at) =>
      // Pure and near colours besides random ones: ties between channels, and the edges of ranges.
      at % 4 === 0 ? [255, byte(), 0] : at % 4 === 1 ? [byte() & 3, byte(), byte() & 7] : [byte(), byte(), byte()],
    );
    const differing = colors.filter(([red, green, blue]) => {
      const [r, g, b] = [red!, green!, blue!];
      return (markPixels(Uint32Array.of(r + 256 * g + 65536 * b), 1, test)[0] === 1) !== passes(rule, r, g, b);
    });
    expect(differing).toEqual([]);
  });

  it('lets no grey pass, whatever the tolerance', () => {
    const test = pixelTest({ hueDeg: 0, tolerance: 1, saturationCutoff: 1e-9, valueCutoff: 1e-9 });
    expect([...markPixels(Uint32Array.of(0x808080, 0, 0xffffff, 0x808081), 4, test)]).toEqual([8]);
  });
});

describe('hueRange', () => {
  it.each([
    ['half on either side', { hueDeg: 100, tolerance: 0.1 }, { from: 82, to: 118 }],
    ['through 0° below', { hueDeg: 10, tolerance: 0.25 }, { from: 325, to: 55 }],
    ['through 0° above', { hueDeg: 350, tolerance: 0.25 }, { from: 305, to: 35 }],
    ['up to 360° is 0°', { hueDeg: 315, tolerance: 0.25 }, { from: 270, to: 0 }],
    ['everything', { hueDeg: 100, tolerance: 1 }, { from: 0, to: 360 }],
    ['all but a sliver opposite', { hueDeg: 90, tolerance: 0.999 }, { from: 270.18, to: 269.82 }],
  ])('%s', (_, rule, range) => {
    const { from, to } = hueRange(rule);
    expect([from, to]).toEqual([expect.closeTo(range.from, 9), expect.closeTo(range.to, 9)]);
  });
});
