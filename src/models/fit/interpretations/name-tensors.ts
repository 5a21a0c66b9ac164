import type { VisionServiceConfig } from '../../../machine/config/face/machine-config.ts';
import type { TensorInfo } from '../../../machine/vision/face/feeding.ts';
import { pictureInput } from './picture-input.ts';

type Remap = Readonly<Record<string, string>>;

/** The tensors of a model, as far as names go. */
export interface NamedTensors {
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
}

/** The names to write so that the machine finds a model's tensors; those that are missing may stay as they are. */
export interface TensorNames {
  readonly remapInputNames?: Remap;
  readonly remapOutputNames?: Remap;
}

/**
 * Finds the tensor names that leave no choice: the machine's `image` for the only input that takes pictures, and no
 * remap of tensors that only another model had. A remap of a tensor that this model has stays.
 * @param model its inputs and outputs
 * @param service the remaps that are configured now
 * @returns the remaps to change; {}: nothing is to be changed
 * @example
 * const input = { name: 'images', dtype: 'float32', shape: [1, 3, 320, 320], symbols: [] };
 * nameTensors({ inputs: [input], outputs: [] }, { remapInputNames: {}, remapOutputNames: {} }); // => { remapInputNames: { images: 'image' } }
 */
export function nameTensors(
  { inputs, outputs }: NamedTensors,
  service: Pick<VisionServiceConfig, 'remapInputNames' | 'remapOutputNames'>,
): TensorNames {
  const input = nameInput(inputs, ofPresent(service.remapInputNames, inputs));
  const output = ofPresent(service.remapOutputNames, outputs);
  return {
    ...(!same(input, service.remapInputNames) && { remapInputNames: input }),
    ...(!same(output, service.remapOutputNames) && { remapOutputNames: output }),
  };
}

function nameInput(inputs: readonly TensorInfo[], remap: Remap): Remap {
  if (Object.values(remap).includes('image')) return remap;
  const picture = pictureInput(inputs);
  return !picture || picture.name === 'image' ? remap : { ...remap, [picture.name]: 'image' };
}

function ofPresent(remap: Remap, tensors: readonly TensorInfo[]): Remap {
  return Object.fromEntries(Object.entries(remap).filter(([name]) => tensors.some((tensor) => tensor.name === name)));
}

function same(a: Remap, b: Remap): boolean {
  return JSON.stringify(Object.entries(a)) === JSON.stringify(Object.entries(b));
}
