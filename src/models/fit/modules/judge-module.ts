import { judgeAttributes } from './judge-attributes.ts';
import { formatOf, knownOf, type ModelFormatName } from './known-modules.ts';
import type { ModuleFinding } from './module-finding.ts';

/** A model file, and what the module for its format makes of it. */
export interface JudgedFile {
  readonly format: ModelFormatName;
  readonly findings: readonly ModuleFinding[];
}

/**
 * Says what a model service's module makes of its attributes and of its file.
 * @param module name of the module: "viam-labs:onnx-cpu"
 * @param attributes of the model service, as in the configuration
 * @param file what is known of the model file; null: the file is not at hand
 * @returns findings on attributes first, then on the file
 * @example
 * judgeModule('somebody:else:model', {}, null); // => []
 */
export function judgeModule(
  module: string,
  attributes: Readonly<Record<string, unknown>>,
  file: JudgedFile | null,
): readonly ModuleFinding[] {
  return [...judgeAttributes(module, attributes), ...(file ? judgeFile(module, file) : [])];
}

/** What a model service's module makes of a file: it may be made for other files, or be one that only the machine knows. */
function judgeFile(module: string, file: JudgedFile): readonly ModuleFinding[] {
  const format = formatOf(module);
  if (format === undefined) return [unknownModule(module)];
  return format === file.format ? file.findings : [otherFormat(module, format, file.format)];
}

function unknownModule(module: string): ModuleFinding {
  return {
    code: 'unknown-module',
    severity: 'cannot-tell',
    message: `Whether the file loads is for the machine to say: ${module || 'the module'} ${knownOf(module)}.`,
    cure: 'Look at the machine itself, in the log of the model service.',
  };
}

const formatNames: Readonly<Record<ModelFormatName, string>> = { onnx: 'ONNX', tflite: 'TensorFlow Lite' };

function otherFormat(module: string, wanted: ModelFormatName, given: ModelFormatName): ModuleFinding {
  return {
    code: 'other-format',
    severity: 'refuses',
    message: `${module} runs ${formatNames[wanted]} files, and this is one of ${formatNames[given]}.`,
    cure: `Give it a file of ${formatNames[wanted]}, or take the module for ${formatNames[given]}.`,
  };
}
