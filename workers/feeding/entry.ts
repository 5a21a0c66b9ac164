import { createLiteRt } from '../../src/platform/browser/litert/litert.ts';
import { createOnnxRuntime } from '../../src/platform/browser/onnxruntime/onnxruntime.ts';
import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { withRuntimes } from '../inference/with-runtimes.ts';
import { createFeedingApi } from './api.ts';

// ONNX Runtime starts its threads with this same entry under another worker name: those must not answer calls.
if (!self.name.startsWith('em-pthread')) {
  const access = { store: createIdbModelStore(), fetch: (url: string, init: RequestInit) => fetch(url, init) };
  answerCalls('feeding', createFeedingApi(access, withRuntimes(createOnnxRuntime(), [createLiteRt()])));
}
