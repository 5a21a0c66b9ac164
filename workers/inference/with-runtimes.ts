import type { InferenceRuntime, ModelRuntime } from '../../src/platform/ports/inference-runtime.ts';

/** Combines runtimes: a model is opened by the first of `others` that accepts it, otherwise by `main`. */
export function withRuntimes(main: InferenceRuntime, others: readonly ModelRuntime[]): InferenceRuntime {
  return {
    capabilities: () => main.capabilities(),
    onGpuLost: (listener) => main.onGpuLost(listener),
    open: (model, backend) => (others.find((other) => other.takes(model)) ?? main).open(model, backend),
  };
}
