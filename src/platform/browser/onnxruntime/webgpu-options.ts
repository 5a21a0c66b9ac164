import type * as Ort from 'onnxruntime-web';
import type { WebGpuDevice } from '../webgpu/webgpu-device.ts';

/** How a model is compiled for our device. */
export function webGpuOptions(
  { device }: WebGpuDevice,
  preferredOutputLocation: NonNullable<Ort.InferenceSession.SessionOptions['preferredOutputLocation']>,
): Ort.InferenceSession.SessionOptions {
  const provider: Ort.InferenceSession.WebGpuExecutionProviderOption = {
    name: 'webgpu',
    device,
    validationMode: 'disabled', // the browser validates; that is ONNX Runtime's own, on top
  };
  return {
    executionProviders: [provider],
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3, // what an exporter left behind in a file is no error of whoever opens it
    preferredOutputLocation,
  };
}
