import { belowRedPart, bluePart, greenPart, redPart, type PixelTest } from './pixel-test.ts';

/**
 * Marks the pixels that pass a test, as bits: row by row, 32 pixels a number, the lowest bit first, and a row begins with a
 * number of its own. Every implementation agrees bit for bit.
 */
export type MarkPixels = (pixels: Uint32Array, widthPx: number, test: PixelTest) => Uint32Array;

/**
 * Says how many numbers the marks of a row take.
 * @param widthPx width of the picture
 * @returns whole numbers of 32 bits
 * @example
 * wordsOfRow(33); // => 2
 */
export function wordsOfRow(widthPx: number): number {
  return Math.ceil(widthPx / 32);
}

/**
 * Marks the pixels that pass a test: the reference of what the kernel of `assembly` does.
 * @param pixels one number a pixel: red + 256 · green + 65536 · blue, row by row from the top left
 * @param widthPx width of the picture
 * @param test of `pixelTest`
 * @returns a bit a pixel, `wordsOfRow` numbers a row
 * @example
 * import { pixelTest } from './pixel-test.ts';
 * const test = pixelTest({ hueDeg: 0, tolerance: 0.1, saturationCutoff: 0.2, valueCutoff: 0.3 });
 * [...markPixels(Uint32Array.of(255, 0, 255, 255, 0, 0), 3, test)]; // => [5, 1]
 */
export const markPixels: MarkPixels = (pixels, widthPx, { lowestValue, lowestSaturation, bounds, isInverted }) => {
  const words = wordsOfRow(widthPx);
  const marks = new Uint32Array(words * Math.ceil(pixels.length / widthPx));
  // Most of a frame's time is spent here: everything is a local, and nothing is called.
  for (let row = 0, out = 0; row < pixels.length; row += widthPx, out += words) {
    for (let x = 0; x < widthPx; x++) {
      const pixel = pixels[row + x]!;
      const red = pixel & 255;
      const green = (pixel >>> 8) & 255;
      const blue = (pixel >>> 16) & 255;
      // Largest and smallest without a branch, which a processor would often guess wrongly: a difference, where it is below 0.
      const redLess = (red - green) & ((red - green) >> 31);
      const most = red - redLess;
      const least = green + redLess;
      const value = most - ((most - blue) & ((most - blue) >> 31));
      const chroma = value - (blue + ((least - blue) & ((least - blue) >> 31)));
      // A saturation is cut off to whole steps: it is high enough where 255 · chroma / value is.
      if (value < lowestValue || 255 * chroma < lowestSaturation * value) continue;
      let difference = green - blue;
      let part = 4 * (difference < 0 ? belowRedPart : redPart);
      if (value === blue) {
        difference = red - green;
        part = 4 * bluePart;
      } else if (value === green) {
        difference = blue - red;
        part = 4 * greenPart;
      }
      const isIn =
        difference * bounds[part + 1]! >= bounds[part]! * chroma &&
        difference * bounds[part + 3]! < bounds[part + 2]! * chroma;
      if (isIn !== isInverted) marks[out + (x >> 5)]! |= 1 << (x & 31);
    }
  }
  return marks;
};
