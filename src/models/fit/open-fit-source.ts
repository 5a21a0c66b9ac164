import { isTflite } from '../tflite/read-tflite.ts';
import type { FitSource } from './source/fit-source.ts';
import type { ModelFormatName } from './modules/known-modules.ts';
import { openOnnxSource } from './source/onnx-source.ts';
import type { FitRequest } from './source/fit-request.ts';
import { openTfliteSource } from './tflite/tflite-source.ts';

/**
 * Says in which format a model would be fitted, which is that of its file.
 * @param bytes a model file
 * @returns tflite by the file's identifier, else onnx
 * @example
 * fitFormat(Uint8Array.of(8, 7)); // => 'onnx'
 */
export function fitFormat(bytes: Uint8Array): ModelFormatName {
  return isTflite(bytes) ? 'tflite' : 'onnx';
}

/** @throws ModelError not-onnx, not-tflite, unsupported-dtype, external-data-missing */
export function openFitSource(bytes: Uint8Array, request: FitRequest): FitSource {
  return fitFormat(bytes) === 'tflite' ? openTfliteSource(bytes, request) : openOnnxSource(bytes, request);
}
