import { createIdbModelStore } from '../../src/platform/browser/idb-model-store.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { createModelProfileApi } from './api.ts';

// A thread of ONNX Runtime runs its worker's own entry again, under a name of its own: it must not answer.
if (!self.name.startsWith('em-pthread')) {
  const access = { store: createIdbModelStore(), fetch: (url: string, init: RequestInit) => fetch(url, init) };
  answerCalls('model-profile', createModelProfileApi(access));
}
