import type { ModelFormat } from '../../../machine/vision/face/inference.ts';

/** Models of model services whose files and attributes are judged here. */
export const onnxCpu = 'viam:mlmodel:onnx-cpu';
export const tfliteCpu = 'viam:mlmodel-tflite:tflite_cpu';

export type ModelFormatName = ModelFormat['name'];

const formats: Readonly<Record<string, ModelFormatName>> = { [onnxCpu]: 'onnx', [tfliteCpu]: 'tflite' };

/**
 * Names the format of the files that a model service's module runs.
 * @param module name of the module
 * @returns the format; undefined: only the machine knows this module
 * @example
 * formatOf(moduleFor('onnx')); // => 'onnx'
 * formatOf('somebody:else:model'); // => undefined
 */
export function formatOf(module: string): ModelFormatName | undefined {
  return Object.hasOwn(formats, module) ? formats[module] : undefined;
}

/**
 * Names the module that runs files of a format.
 * @param format 'onnx' or 'tflite'
 * @returns name of the module, as in a configuration
 * @example
 * formatOf(moduleFor('tflite')); // => 'tflite'
 */
export function moduleFor(format: ModelFormatName): string {
  return format === 'onnx' ? onnxCpu : tfliteCpu;
}

const others: readonly (readonly [RegExp, string])[] = [
  [/triton/i, 'runs ONNX, TensorRT, TensorFlow and PyTorch files on NVIDIA hardware'],
  [/torch/i, 'runs PyTorch files'],
  [/tensorflow/i, 'runs TensorFlow files'],
  [/coral|edge-?tpu|hailo|rknn/i, 'runs files that are compiled for its accelerator'],
];

/** Says in words that follow its name what a module does that is not judged here. */
export function knownOf(module: string): string {
  return others.find(([pattern]) => pattern.test(module))?.[1] ?? 'is not known here';
}
