import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { createModelProfileApi } from './api.ts';

// ONNX Runtime starts its threads with this same entry under another worker name: those must not answer calls.
if (!self.name.startsWith('em-pthread')) {
  const access = { store: createIdbModelStore(), fetch: (url: string, init: RequestInit) => fetch(url, init) };
  answerCalls('model-profile', createModelProfileApi(access));
}
