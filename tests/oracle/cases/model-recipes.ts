import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { GraphBuilder } from '../../../src/models/onnx/edit-model.ts';
import type { TensorDtype } from '../../../src/machine/vision/tensor/tensor.ts';
import { addImage, type TinyInput } from '../../models.ts';

/** A model as data: one with constant outputs, or a file, by its path from the repository's root. */
export type ModelRecipe =
  { readonly input: TinyInput; readonly outputs: readonly OutputRecipe[] } | { readonly file: string };

export interface OutputRecipe {
  readonly name: string;
  readonly shape: readonly number[];
  /** null = NaN, which JSON lacks */
  readonly values: readonly (number | null)[];
  /** default float32 */
  readonly dtype?: 'float32' | 'uint8' | 'int32' | 'int64';
}

/** Outputs with the standard names: location [1,N,4], category [1,N], score [1,N]. */
export function detectorOutputs(
  boxes: readonly (number | null)[],
  categories: readonly (number | null)[],
  scores: readonly (number | null)[],
): OutputRecipe[] {
  return [
    { name: 'location', shape: [1, boxes.length / 4, 4], values: boxes },
    { name: 'category', shape: [1, categories.length], values: categories },
    { name: 'score', shape: [1, scores.length], values: scores },
  ];
}

export async function modelBytes(recipe: ModelRecipe): Promise<Uint8Array<ArrayBuffer>> {
  if ('file' in recipe)
    return new Uint8Array(await readFile(fileURLToPath(new URL(`../../../${recipe.file}`, import.meta.url))));
  const build = new GraphBuilder();
  addImage(build, recipe.input);
  for (const { name, shape, values, dtype = 'float32' } of recipe.outputs) {
    const constant = build.constant(dtype, shape, dataOf(dtype, values));
    build.output(name, constant, dtype, shape);
  }
  return build.build({ graphName: 'seeded', producer: 'sightglass-tests', opset: 18 });
}

function dataOf(dtype: TensorDtype, values: readonly (number | null)[]) {
  const numbers = values.map((value) => value ?? NaN);
  if (dtype === 'int64') return BigInt64Array.from(numbers, BigInt);
  if (dtype === 'int32') return Int32Array.from(numbers);
  return dtype === 'uint8' ? Uint8Array.from(numbers) : Float32Array.from(numbers);
}
