import type { TensorInfo } from '../../../machine/vision/face/feeding.ts';

/** The one input that can take a picture; null where none or several could. */
export function pictureInput(inputs: readonly TensorInfo[]): TensorInfo | null {
  const [first, ...others] = inputs.filter(takesPictures);
  return first && others.length === 0 ? first : null;
}

/** Four sizes, 3 channels first or last (or left open), of a type that pixels become. */
function takesPictures({ dtype, shape }: TensorInfo): boolean {
  if (shape.length !== 4 || !pixelDtypes.includes(dtype)) return false;
  return shape[1] === 3 || shape[3] === 3 || (shape[1] === -1 && shape[3] === -1);
}

// The machine refuses float16; its name is settled all the same, so that one reason remains and not two.
const pixelDtypes: readonly string[] = ['uint8', 'float32', 'float16'];
