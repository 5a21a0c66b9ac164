/** What the bench's cameras give, and so what the app feeds a model that takes pictures of any size. */
const cameraSizes: Readonly<Record<string, number>> = { width: 1280, height: 720 };

/** The shape that a model of one picture is fed for a frame of the camera: sizes that it leaves open, by their names, are the frame's. */
export function fedShape(declared: readonly (number | string)[]): readonly number[] {
  return declared.map((size) => (typeof size === 'number' ? size : (cameraSizes[size] ?? 1)));
}
