/**
 * Whether a tensor of these sizes is [n, 3, height, width]. The machine decides so if and only if the first 3 among
 * the sizes is at index 1; otherwise it reads [n, height, width, channels].
 */
export function isChannelsFirst(shape: readonly number[]): boolean {
  return shape.indexOf(3) === 1;
}
