import type { LiveModelSource } from '../../../src/platform/ports/model-source.ts';
import type { InferenceSession } from '../../../src/machine/vision/face/inference.ts';
import type { ModelDescription } from '../protocol.ts';

/** Describes a model on a live machine by its tensors; its file stays on the machine. */
export function describeLive(
  modelId: string,
  { modelName, url }: LiveModelSource,
  { inputs, outputs }: InferenceSession,
): ModelDescription {
  return {
    modelId,
    fileName: modelName,
    sha256: '',
    byteLength: 0,
    format: null,
    inputs,
    outputs,
    producer: '',
    graphName: '',
    metadata: {},
    labels: null,
    labelsFrom: '',
    boxOrder: null,
    backend: 'live',
    gpuRefusal: '',
    admission: null,
    runsAt: url,
    comparison: null,
    warmRunMs: 0,
    stored: false,
    storedReason: '',
    moduleFindings: [],
    warnings: [],
  };
}
