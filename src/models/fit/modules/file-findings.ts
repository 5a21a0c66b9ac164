import type { LoadFacts } from '../../onnx/face/graphs.ts';
import type { ModuleFinding } from './module-finding.ts';
import { onnxCpuFindings } from './onnx-cpu.ts';
import { tfliteCpuFindings, type TfliteFacts } from './tflite-cpu.ts';

/** A model file, with the facts that a module judges it by. */
export type ModelFile =
  | {
      readonly format: 'onnx';
      readonly facts: LoadFacts;
      /** paths of the files beside it; null = not known */
      readonly filesBeside: readonly string[] | null;
    }
  | { readonly format: 'tflite'; readonly facts: TfliteFacts };

/**
 * Says what the module that runs files of this format makes of a file.
 * @param file its format, and the facts of it that decide whether it loads
 * @returns findings; []: it loads and runs
 * @example
 * const facts = {
 *   inputs: [{ name: 'image', type: 'uint8', shape: [1, 300, 300, 3] }],
 *   outputs: [{ name: 'boxes', type: 'float32', shape: [1, 10, 4] }],
 *   operators: [{ name: 'operator 999', isCustom: false, version: 1 }],
 *   hybridConvolutions: 0,
 * };
 * fileFindings({ format: 'tflite', facts }).map(({ severity }) => severity); // => ['refuses']
 */
export function fileFindings(file: ModelFile): readonly ModuleFinding[] {
  return file.format === 'onnx' ? onnxCpuFindings(file.facts, file.filesBeside) : tfliteCpuFindings(file.facts);
}
