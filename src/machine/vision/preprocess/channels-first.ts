/**
 * Whether a tensor of these sizes is [n, 3, height, width]. The machine decides so if and only if the first 3 among
 * the sizes is at index 1; otherwise it reads [n, height, width, channels].
 * @param shape sizes that the model declares, outermost first; -1: dynamic
 * @returns true for channels first (NCHW)
 * @example
 * isChannelsFirst([1, 3, 224, 224]); // => true
 * isChannelsFirst([1, 224, 224, 3]); // => false
 */
export function isChannelsFirst(shape: readonly number[]): boolean {
  return shape.indexOf(3) === 1;
}
