/** The size of the bench's cameras, which is also the input size for a model with dynamic sides. */
const cameraSizes: Readonly<Record<string, number>> = { width: 1280, height: 720 };

/** The input shape for one camera frame. Dynamic dimensions, which have names, get the frame's size. */
export function fedShape(declared: readonly (number | string)[]): readonly number[] {
  return declared.map((size) => (typeof size === 'number' ? size : (cameraSizes[size] ?? 1)));
}
