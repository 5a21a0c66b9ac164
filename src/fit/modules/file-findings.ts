import type { LoadFacts } from '../../onnx/load-facts.ts';
import type { ModuleFinding } from './module-finding.ts';
import { onnxCpuFindings } from './onnx-cpu.ts';
import { tfliteCpuFindings, type TfliteFacts } from './tflite-cpu.ts';

/** What is known of a model file. */
export type ModelFile =
  | {
      readonly format: 'onnx';
      readonly facts: LoadFacts;
      /** paths of the files beside it; null = not known */
      readonly filesBeside: readonly string[] | null;
    }
  | { readonly format: 'tflite'; readonly facts: TfliteFacts };

/** What the module that runs files of this format makes of the file. */
export function fileFindings(file: ModelFile): readonly ModuleFinding[] {
  return file.format === 'onnx' ? onnxCpuFindings(file.facts, file.filesBeside) : tfliteCpuFindings(file.facts);
}
