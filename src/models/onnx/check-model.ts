import { ModelError } from '../../machine/vision/face/errors.ts';
import type { OnnxSummary } from './read-model.ts';

/** The newest default operator set that onnxruntime-web 1.30 loads (tried: 26 loads, 27 is refused). */
const newestOpset = 26;
/** Domains whose operators onnxruntime-web has built in. */
const builtinDomains = new Set(['', 'ai.onnx.ml', 'com.microsoft', 'com.microsoft.nchwc', 'com.ms.internal.nhwc']);

/**
 * Says what keeps a model from running here. Whether the runtime lacks an operator of its own domains shows only when a
 * session is made. What the machine takes is said by `src/models/fit/modules`.
 * @param model of `readModel`
 * @returns errors in words, each with a cure; []: none is known
 * @example
 * checkModel({ externalFiles: [], operators: { Conv: 3 }, format: { name: 'onnx', irVersion: 8, opsets: { '': 18 } } }); // => []
 */
export function checkModel(model: Pick<OnnxSummary, 'externalFiles' | 'operators' | 'format'>): ModelError[] {
  return [...checkExternalData(model), ...checkOperators(model)];
}

function* checkExternalData({ externalFiles }: Pick<OnnxSummary, 'externalFiles'>): Generator<ModelError> {
  if (externalFiles.length === 0) return;
  const where = externalFiles.length === 1 ? 'a file' : `${externalFiles.length} files`;
  yield new ModelError(
    'external-data-missing',
    `The weights are in ${where} beside the model (${externalFiles.join(', ')}). ` +
      `Drop ${externalFiles.length === 1 ? 'that file' : 'those files'} here too, with the model or after it; or save it as one file: onnx.save_model(onnx.load("model.onnx"), "single.onnx", save_as_external_data=False).`,
  );
}

function* checkOperators({ operators, format }: Pick<OnnxSummary, 'operators' | 'format'>): Generator<ModelError> {
  const opset = format.opsets[''];
  if (opset !== undefined && opset > newestOpset) {
    yield new ModelError(
      'unsupported-operator',
      `The model uses opset ${opset}; the runtime knows up to ${newestOpset}. Export it with a lower opset_version.`,
    );
  }
  const foreign = Object.keys(operators).filter((operator) => !builtinDomains.has(domainOf(operator)));
  if (foreign.length > 0) {
    yield new ModelError(
      'unsupported-operator',
      `The runtime has no operators of the domain ${[...new Set(foreign.map(domainOf))].join(', ')} ` +
        `(used: ${foreign.join(', ')}). Export the model without custom operators.`,
    );
  }
}

function domainOf(operator: string): string {
  return operator.slice(0, Math.max(0, operator.lastIndexOf('.')));
}
