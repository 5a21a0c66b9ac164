/** Outputs of a fitted model that the machine ignores, and from which the bench draws; docs/families.md says what they hold. */
export const detailNames = {
  /** [1, rows, points, 3]: x and y proportional to the frame, and how sure the point is, from 0 to 1 */
  keyPoints: 'key_points',
  /** [1, rows, M]: how much of each prototype is in a row's mask */
  maskWeights: 'mask_weights',
  /** [1, M, height, width] */
  maskPrototypes: 'mask_prototypes',
  /** [1, 4]: where the prototypes lie on the frame, ymin, xmin, ymax, xmax in proportion to it; absent: on the whole of it */
  maskPlace: 'mask_place',
} as const;

/** What a model says of its detections beyond boxes. */
export type DetailKind = 'key points' | 'masks';

/**
 * Tells by the names of a model's outputs what it says of its detections beyond boxes.
 * @param outputs of the model
 * @returns the kind; null: boxes are all that it says
 * @example
 * detailKindOf([{ name: 'location' }, { name: 'key_points' }]); // => 'key points'
 * detailKindOf([{ name: 'location' }]); // => null
 */
export function detailKindOf(outputs: readonly { readonly name: string }[]): DetailKind | null {
  const has = (name: string) => outputs.some((output) => output.name === name);
  if (has(detailNames.keyPoints)) return 'key points';
  return has(detailNames.maskWeights) && has(detailNames.maskPrototypes) ? 'masks' : null;
}
