import type { Frame } from './frame.ts';

/**
 * A frame of reproducible clutter for tests: sample i is (37i² + 101i + 29) mod 256, at 16 bits the same of 257i mod 65536.
 * The golden values in the tests beside were computed from it by the Go libraries that the machine uses.
 * @param format of the samples
 * @param widthPx 1 or more
 * @param heightPx 1 or more
 * @param alpha 'opaque': alpha is the largest value; 'varied': it follows the same formula as the colours
 * @returns the same frame for the same arguments
 * @example
 * [...patternFrame('rgba8', 2, 1).samples]; // => [29, 167, 123, 255, 1, 179, 175, 255]
 */
export function patternFrame(
  format: Frame['format'],
  widthPx: number,
  heightPx: number,
  alpha: 'opaque' | 'varied' = 'opaque',
): Frame {
  const length = 4 * widthPx * heightPx;
  const sample = (i: number) => 37 * i * i + 101 * i + 29;
  if (format === 'rgba16') {
    const samples = Uint16Array.from({ length }, (_, i) =>
      i % 4 === 3 && alpha === 'opaque' ? 65535 : sample(257 * i) % 65536,
    );
    return { format, widthPx, heightPx, samples };
  }
  const samples = Uint8ClampedArray.from({ length }, (_, i) =>
    i % 4 === 3 && alpha === 'opaque' ? 255 : sample(i) % 256,
  );
  return { format, widthPx, heightPx, samples };
}
