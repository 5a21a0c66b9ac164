import { labelFileText } from '../../machine/vision/face/results.ts';
import type { ModelFormatName } from './modules/known-modules.ts';
import type { FittedModel } from './fit-model.ts';

export interface FittedFileNames {
  readonly model: string;
  readonly labels: string;
  readonly machine: string;
}

export interface FittedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Names the files of a fitted model after one stem.
 * @param stem file name without ending: "yolo.fitted"
 * @param format of the model, which is the ending of its name
 * @returns names of the model, its labels and its machine configuration
 * @example
 * fittedFileNames('yolo.fitted').model; // => 'yolo.fitted.onnx'
 */
export function fittedFileNames(stem: string, format: ModelFormatName = 'onnx'): FittedFileNames {
  return { model: `${stem}.${format}`, labels: `${stem}.labels.txt`, machine: `${stem}.machine.json` };
}

/**
 * Makes the files to hand out: the model, its labels where its classes have names, and a machine configuration that
 * names both.
 * @param fitted what `fitModel` made
 * @param names of `fittedFileNames`
 * @returns file names with bytes; text is UTF-8
 * @example
 * const files = fittedFiles({ model: new Uint8Array(8), labels: ['cat'], configuration: {} }, fittedFileNames('pets'));
 * files.map(({ name }) => name); // => ['pets.onnx', 'pets.labels.txt', 'pets.machine.json']
 */
export function fittedFiles(
  { model, labels, configuration }: Pick<FittedModel, 'model' | 'labels' | 'configuration'>,
  names: FittedFileNames,
): readonly FittedFile[] {
  const text = (content: string) => new TextEncoder().encode(content);
  return [
    { name: names.model, bytes: model },
    ...(labels ? [{ name: names.labels, bytes: text(labelFileText(labels)) }] : []),
    { name: names.machine, bytes: text(`${JSON.stringify(configuration, null, 2)}\n`) },
  ];
}
