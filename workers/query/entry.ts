import { answerQueries, type ToQueryWorker } from '../../src/data-service/face/query-engine.ts';

const answer = answerQueries((message, transfer) => self.postMessage(message, { transfer: transfer as ArrayBuffer[] }));
self.addEventListener('message', ({ data }: MessageEvent<ToQueryWorker>) => answer(data));
