import { readLoadFacts } from '../onnx/face/model-files.ts';
import { isTflite, readTflite } from '../tflite/read-tflite.ts';
import type { FittedModel } from './fit-model.ts';
import { fileFindings } from './modules/file-findings.ts';
import type { ModuleFinding } from './modules/module-finding.ts';

/**
 * Says what the machine's module makes of a model that was written, with no other file in its folder.
 * @param fitted the bytes of the file
 * @returns findings; []: it loads
 * @throws ModelError not-onnx
 * @example
 * judgeFitted({ model: new Uint8Array(8) }); // throws: Error
 */
export function judgeFitted({ model }: Pick<FittedModel, 'model'>): readonly ModuleFinding[] {
  return isTflite(model)
    ? fileFindings({ format: 'tflite', facts: readTflite(model) })
    : fileFindings({ format: 'onnx', facts: readLoadFacts(model), filesBeside: [] });
}
