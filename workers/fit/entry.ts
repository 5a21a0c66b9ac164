import { createIdbModelStore } from '../../src/platform/browser/indexed-db/idb-model-store.ts';
import { answerCalls } from '../boundary/answer-calls.ts';
import { createFitApi } from './api.ts';

answerCalls('fit', createFitApi({ store: createIdbModelStore(), fetch: (url, init) => fetch(url, init) }));
