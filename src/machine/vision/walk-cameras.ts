/** The way from a camera to where its frames come from. */
export interface CameraWalk<Camera> {
  /** the cameras on the way, each once, the nearest first */
  readonly cameras: readonly Camera[];
  /** at a camera of its own, at a name that no camera has, or at a camera that was passed already */
  readonly end: 'source' | 'missing' | 'circle';
  /** the name at the end */
  readonly last: string;
}

/**
 * Walks from a camera to where its frames come from.
 * @param all the cameras; of two with one name, the first counts
 * @param name the camera where the walk begins
 * @param sourceOf names the camera whose frames another one passes on; null: it has frames of its own
 * @returns the cameras on the way, and how it ends
 * @example
 * const cameras = [{ name: 'webcam', source: null }, { name: 'small', source: 'webcam' }, { name: 'lost', source: 'nobody' }];
 * const walk = (name) => walkCameras(cameras, name, ({ source }) => source);
 * walk('small').cameras.map(({ name }) => name); // => ['small', 'webcam']
 * walk('lost').end; // => 'missing'
 * walk('lost').last; // => 'nobody'
 */
export function walkCameras<Camera extends { readonly name: string }>(
  all: readonly Camera[],
  name: string,
  sourceOf: (camera: Camera) => string | null,
): CameraWalk<Camera> {
  const cameras: Camera[] = [];
  for (let last = name; ;) {
    const camera = all.find((candidate) => candidate.name === last);
    if (!camera) return { cameras, end: 'missing', last };
    if (cameras.includes(camera)) return { cameras, end: 'circle', last };
    cameras.push(camera);
    const source = sourceOf(camera);
    if (source === null) return { cameras, end: 'source', last };
    last = source;
  }
}
