/**
 * Draws the order in which images are corrected: the more an image is worth, the earlier its turn, and none has no
 * chance. It is priority sampling (Duffield, Lund and Thorup, Priority sampling for estimation of arbitrary subset
 * sums, 2007): the first n of the order are a sample for every n, so that a person may stop anywhere.
 *
 * @param worth of each image, above 0
 * @param lots a random number of each image, above 0 and at most 1, drawn without looking at the image
 * @returns the numbers of the images in the order of their turn
 * @example
 * [...drawOrder([1, 4], [0.5, 0.5])]; // => [1, 0]
 */
export function drawOrder(worth: ArrayLike<number>, lots: ArrayLike<number>): Uint32Array {
  const priority = Float64Array.from(worth, (own, image) => own / lots[image]!);
  return Uint32Array.from(worth, (_, image) => image).sort((a, b) => priority[b]! - priority[a]! || a - b);
}

/**
 * How likely each of the first images was to be among them: known, because the first one that is left out says where
 * the line was.
 *
 * @param worth of each image, as it was when the order was drawn
 * @param lots of each image
 * @param order of `drawOrder`
 * @param count how many of the order were corrected
 * @returns above 0 and at most 1, in the order of their turn
 * @example
 * const [worth, lots] = [[1, 4], [0.5, 0.5]];
 * [...chancesOf(worth, lots, drawOrder(worth, lots), 2)]; // => [1, 1]
 */
export function chancesOf(
  worth: ArrayLike<number>,
  lots: ArrayLike<number>,
  order: ArrayLike<number>,
  count: number,
): Float64Array {
  const first = order[count];
  const line = first === undefined ? 0 : worth[first]! / lots[first]!;
  return Float64Array.from({ length: count }, (_, turn) => (line === 0 ? 1 : Math.min(1, worth[order[turn]!]! / line)));
}
