import { labelFileText } from '../vision/decode/labels.ts';
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

/** "yolo.fitted" → yolo.fitted.onnx and what lies beside it. */
export function fittedFileNames(stem: string): FittedFileNames {
  return { model: `${stem}.onnx`, labels: `${stem}.labels.txt`, machine: `${stem}.machine.json` };
}

/** The files to hand out: the model, its labels where its classes have names, and a machine configuration that names both. */
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
