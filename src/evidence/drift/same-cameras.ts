/** Cameras that images are of, each once; null: of some it is not known. */
export type Cameras = readonly (string | null)[];

/**
 * Whether later images are of the very cameras of a reference. Where one side has a camera more, the mixture differs,
 * and so may everything that is measured.
 *
 * @param reference cameras of its images
 * @param later cameras of the later images
 * @returns null: nothing records it of some images, and those whose camera is known do not contradict
 * @example
 * [sameCameras(['a'], ['a']), sameCameras(['a'], ['b']), sameCameras(['a'], [null])]; // => [true, false, null]
 */
export function sameCameras(reference: Cameras, later: Cameras): boolean | null {
  const isOpen = [reference, later].some((side) => side.includes(null));
  const isIn = (side: Cameras) => (camera: string | null) => side.includes(null) || side.includes(camera);
  const [own, others] = [reference, later].map((side) => side.filter((camera) => camera !== null));
  if (!own!.every(isIn(later)) || !others!.every(isIn(reference))) return false;
  return isOpen ? null : true;
}
