import { dependencies, version } from '../../package.json';

/** The version of ONNX Runtime in this page. */
export const ortVersion: string = dependencies['onnxruntime-web'];

/**
 * All that computes a model here: this page, the runtimes, and the browser, in whose update shaders are compiled anew. What a GPU was
 * found to compute is known for these only.
 */
export const runtimeVersion = (): string =>
  [
    `sightglass ${version}`,
    `onnxruntime-web ${ortVersion}`,
    `litert ${dependencies['@litertjs/core']}`,
    navigator.userAgent,
  ].join('; ');
