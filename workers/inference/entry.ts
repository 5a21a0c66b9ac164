import { createLiteRt } from '../../src/platform/browser/litert/litert.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { createInferenceApi, type Borrow } from './api.ts';
import { oneThreadName } from './thread-count.ts';
import { whenReady } from './when-ready.ts';
import { withRuntimes } from './with-runtimes.ts';

// Loaded only with the first model of a live machine.
const borrow: Borrow = async ({ url, modelName, key, channel }) => {
  const [{ openMachineLink }, { sharedMachine }, { borrowSession }] = await Promise.all([
    import('../../src/remote/links/machine-link.ts'),
    import('../../src/remote/links/shared-machine.ts'),
    import('../../src/remote/live-machine/borrow-session.ts'),
  ]);
  return borrowSession(channel ? sharedMachine(channel) : openMachineLink(url, key), modelName);
};

// ONNX Runtime starts its threads with this same entry under another worker name: those must not answer calls.
if (!self.name.startsWith('em-pthread')) {
  const threads = self.name === oneThreadName ? ([1] as const) : ([] as const);
  const runtime = createOnnxRuntime(...threads);
  const ready = whenReady({ prepared: runtime.prepare(), isFetching: runtime.isFetching });
  answerCalls('inference', createInferenceApi(withRuntimes(runtime, [createLiteRt(...threads)]), borrow), ready);
}
