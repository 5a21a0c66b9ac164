/**
 * Whether a picture's sizes are [n, 3, height, width], as the machine reads them: iff the first 3 of all stands at index 1. Else they
 * are [n, height, width, channels].
 */
export function isChannelsFirst(shape: readonly number[]): boolean {
  return shape.indexOf(3) === 1;
}
