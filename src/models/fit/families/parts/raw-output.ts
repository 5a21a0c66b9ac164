import type { ModelStructure, Picture } from '../../structure/model-structure.ts';
import { shapeText, type TensorInfo } from '../../../../machine/vision/face/feeding.ts';

/** A three-dimensional output of one picture: [1, rows, columns], -1 where the file does not say. */
export interface RawOutput {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly shapeText: string;
  readonly operators: ReadonlyMap<string, number>;
}

/** The model's outputs of three dimensions for one picture, in its order; rows of queries are none: see `queryRows`. */
export function rawOutputs(model: ModelStructure): RawOutput[] {
  return outputsOfOnePicture(model).filter(({ name }) => !areQueries(model, name));
}

/** Outputs that join the box of each query, as shares of the picture, with its scores: RT-DETR's, which no grid of cells makes. */
export function queryRows(model: ModelStructure): RawOutput[] {
  return outputsOfOnePicture(model).filter(({ name }) => areQueries(model, name));
}

/** A sigmoid makes shares of the picture of its boxes, and products, not convolutions, what goes into it. */
function areQueries({ partsOf, startOf, layersOf }: ModelStructure, output: string): boolean {
  if (startOf(output) !== 'Sigmoid' || partsOf(output).length < 2) return false;
  const layers = [...layersOf(output)];
  return layers.length > 0 && !layers.some((layer) => layer.includes('Conv'));
}

function outputsOfOnePicture({ outputs, headOf }: ModelStructure): RawOutput[] {
  return outputs
    .filter(isOfOnePicture)
    .map(({ name, shape }) => ({
      name,
      rows: shape[1]!,
      columns: shape[2]!,
      shapeText: shapeText(shape),
      operators: headOf(name),
    }));
}

/** Outputs [rows, columns] of as many rows, of exports that leave out the batch; [] where the model has others as well. */
export function rowsWithoutBatch({ outputs, headOf }: ModelStructure): RawOutput[] {
  const [rows] = outputs[0]?.shape ?? [];
  if (outputs.some(({ shape }) => shape.length !== 2 || shape[0] !== rows)) return [];
  return outputs.map(({ name, shape }) => ({
    name,
    rows: shape[0]!,
    columns: shape[1]!,
    shapeText: shapeText(shape),
    operators: headOf(name),
  }));
}

function isOfOnePicture({ shape }: TensorInfo): boolean {
  return shape.length === 3 && (shape[0] === 1 || shape[0] === -1);
}

/**
 * Whether an output joins decoded boxes and class scores alone, as YOLOv8's: an objectness is a part of its own there, and YOLOX's, which
 * a sigmoid may make together with the classes, decodes sizes by exponentials.
 */
export function isOfTwoParts({ partsOf }: ModelStructure, output: string): boolean {
  const [boxes, scores, ...others] = partsOf(output);
  if (!boxes || !scores || others.length > 0) return false;
  return boxes.has('Mul') && !boxes.has('Sigmoid') && !boxes.has('Exp') && scores.has('Sigmoid') && !scores.has('Mul');
}

export function pictureText({ widthPx, heightPx }: Picture): string {
  return `${widthPx}×${heightPx}`;
}
