import type { ModelStructure, Picture } from '../model-structure.ts';
import type { TensorInfo } from '../../vision/tensor.ts';

/** A three-dimensional output of one picture: [1, rows, columns], -1 where the file does not say. */
export interface RawOutput {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly shapeText: string;
  readonly operators: ReadonlyMap<string, number>;
}

/** The model's outputs of three dimensions for one picture, in its order. */
export function rawOutputs({ outputs, headOf }: ModelStructure): RawOutput[] {
  return outputs.filter(isOfOnePicture).map(({ name, shape }) => ({
    name,
    rows: shape[1]!,
    columns: shape[2]!,
    shapeText: shapeText(shape),
    operators: headOf(name),
  }));
}

function isOfOnePicture({ shape }: TensorInfo): boolean {
  return shape.length === 3 && (shape[0] === 1 || shape[0] === -1);
}

export function shapeText(shape: readonly number[]): string {
  return `[${shape.map((size) => (size === -1 ? '?' : String(size))).join(', ')}]`;
}

export function pictureText({ widthPx, heightPx }: Picture): string {
  return `${widthPx}×${heightPx}`;
}
