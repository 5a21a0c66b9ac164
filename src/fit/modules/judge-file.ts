import type { LoadFacts } from '../../onnx/load-facts.ts';
import { formatOf, knownOf, type ModelFormat } from './known-modules.ts';
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

/** What a model service's module makes of a model file. */
export function judgeFile(module: string, file: ModelFile): readonly ModuleFinding[] {
  const format = formatOf(module);
  if (format === undefined) return [unknownModule(module)];
  if (format !== file.format) return [otherFormat(module, format, file.format)];
  return file.format === 'onnx' ? onnxCpuFindings(file.facts, file.filesBeside) : tfliteCpuFindings(file.facts);
}

function unknownModule(module: string): ModuleFinding {
  return {
    code: 'unknown-module',
    severity: 'cannot-tell',
    message: `Whether the file loads is for the machine to say: ${module || 'the module'} ${knownOf(module)}.`,
    cure: 'Look at the machine itself, in the log of the model service.',
  };
}

const formatNames: Readonly<Record<ModelFormat, string>> = { onnx: 'ONNX', tflite: 'TensorFlow Lite' };

function otherFormat(module: string, wanted: ModelFormat, given: ModelFormat): ModuleFinding {
  return {
    code: 'other-format',
    severity: 'refuses',
    message: `${module} runs ${formatNames[wanted]} files, and this is one of ${formatNames[given]}.`,
    cure: `Give it a ${formatNames[wanted]} file, or take the module for ${formatNames[given]}.`,
  };
}
