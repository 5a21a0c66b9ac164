import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { createGraphApi } from './api.ts';

answerCalls('model-graph', createGraphApi({ store: createIdbModelStore(), fetch: (url, init) => fetch(url, init) }));
