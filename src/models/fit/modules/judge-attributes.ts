import { onnxCpu, tfliteCpu } from './known-modules.ts';
import type { ModuleFinding } from './module-finding.ts';

/** What a model service's module makes of its attributes, as they are written; [] for a module that is not known here. */
export function judgeAttributes(
  module: string,
  attributes: Readonly<Record<string, unknown>>,
): readonly ModuleFinding[] {
  if (module === onnxCpu) return [...onnxPath(attributes), ...onnxLabels(attributes), ...ignored(module, attributes)];
  if (module === tfliteCpu) {
    return [
      ...tflitePath(attributes),
      ...tfliteLabels(attributes),
      ...threads(attributes),
      ...ignored(module, attributes),
    ];
  }
  return [];
}

const attributesOf: Readonly<Record<string, readonly string[]>> = {
  [onnxCpu]: ['model_path', 'label_path'],
  [tfliteCpu]: ['model_path', 'label_path', 'num_threads'],
};

function* onnxPath({ model_path: path }: Readonly<Record<string, unknown>>): Generator<ModuleFinding> {
  if (path === undefined || path === null || path === '') {
    yield refused('model-path', 'model_path', 'model_path is missing.', 'Name the .onnx file on the machine.');
  } else if (typeof path !== 'string') {
    yield refused('model-path', 'model_path', 'model_path is not text.', 'Name the .onnx file on the machine.');
  } else if (extensionOf(path) !== '.onnx') {
    const fileName = path.slice(path.lastIndexOf('/') + 1);
    const isCase = extensionOf(path).toLowerCase() === '.onnx';
    yield refused(
      'file-extension',
      'model_path',
      `"model_path filename must end in .onnx. The filename is ${fileName}".`,
      isCase ? 'Rename the file: small letters matter here.' : 'Give an ONNX model, in a file named .onnx.',
    );
  }
}

function* onnxLabels({ label_path: path }: Readonly<Record<string, unknown>>): Generator<ModuleFinding> {
  if (path === undefined || path === null || typeof path === 'string') return;
  yield refused('label-path', 'label_path', 'label_path is not text.', 'Name the label file on the machine.');
}

function* tflitePath({ model_path: path }: Readonly<Record<string, unknown>>): Generator<ModuleFinding> {
  if (typeof path === 'string' && path !== '') return;
  const message =
    path === undefined
      ? '"Required parameter `model_path` not found in configuration".'
      : '"Required non-empty string parameter `model_path` is either not a string or is an empty string".';
  yield refused('model-path', 'model_path', message, 'Name the .tflite file on the machine.');
}

function* tfliteLabels({ label_path: path }: Readonly<Record<string, unknown>>): Generator<ModuleFinding> {
  if (path === undefined || typeof path === 'string') return;
  const message = '"string parameter `label_path` is not a string".';
  yield refused('label-path', 'label_path', message, 'Name the label file on the machine.');
}

/** The machine takes doubles, and those that are positive whole numbers of 32 bits. */
function* threads({ num_threads: count }: Readonly<Record<string, unknown>>): Generator<ModuleFinding> {
  if (count === undefined) return;
  if (typeof count === 'number' && Number.isInteger(count) && count > 0 && count < 2 ** 31 - 1) return;
  const message = `"Value for field \`num_threads\` is not a positive integer": it is ${JSON.stringify(count)}.`;
  yield refused('num-threads', 'num_threads', message, 'Write a whole number from 1 on, or leave it out.');
}

function* ignored(module: string, attributes: Readonly<Record<string, unknown>>): Generator<ModuleFinding> {
  const known = attributesOf[module]!;
  for (const attribute of Object.keys(attributes)) {
    if (known.some((key) => key === attribute.toLowerCase())) continue;
    yield {
      code: 'attribute-ignored',
      severity: 'warns',
      attribute,
      message: `${module} ignores "${attribute}".`,
      cure: `It reads ${known.join(', ')}.`,
    };
  }
}

function refused(code: string, attribute: string, message: string, cure: string): ModuleFinding {
  return { code, severity: 'refuses', attribute, message, cure };
}

/** From the last dot of the file's name on; '' without one. */
function extensionOf(path: string): string {
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const dot = fileName.lastIndexOf('.');
  return dot < 0 ? '' : fileName.slice(dot);
}
