import { answerCalls } from '../boundary/answer-calls.ts';
import { onceStarted } from '../boundary/once-started.ts';
import { connectInferenceWorker } from '../inference/client.ts';
import type { StartVision } from './api.ts';

// Only little is imported before this: ONNX Runtime takes longest to load, and loads in parallel with the engine.
const inference = connectInferenceWorker(
  new Worker(new URL('../inference/entry.ts', import.meta.url), { type: 'module', name: 'inference' }),
);
const engine = import('./start-vision.ts');
engine.catch(() => undefined); // the first call says so

answerCalls(
  'vision',
  onceStarted(async (...given: Parameters<StartVision['start']>) => (await engine).startVision(inference, ...given)),
  inference.started, // the page restarts both workers if the inference worker never runs
);
