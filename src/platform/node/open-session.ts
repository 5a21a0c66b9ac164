import { isTflite } from '../../models/tflite/read-tflite.ts';
import type { InferenceSession } from '../../machine/vision/inference/inference-session.ts';

/** Compiles a model with the runtime of its format, which is loaded with the first of its kind. @throws InferenceError, ModelError */
export async function openSession(model: Uint8Array<ArrayBuffer>): Promise<InferenceSession> {
  if (isTflite(model)) return (await import('./litert.ts')).openLiteRt(model);
  return (await import('./onnxruntime.ts')).openNodeSession(model);
}
