import type { InferenceRuntime, ModelRuntime } from '../../src/ports/inference-runtime.ts';

/** A runtime beside others: each model is opened by the first of them that takes it, else by the runtime itself. */
export function withRuntimes(main: InferenceRuntime, others: readonly ModelRuntime[]): InferenceRuntime {
  return {
    capabilities: () => main.capabilities(),
    onGpuLost: (listener) => main.onGpuLost(listener),
    open: (model, backend) => (others.find((other) => other.takes(model)) ?? main).open(model, backend),
  };
}
