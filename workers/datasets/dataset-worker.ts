import { expose, proxy, releaseProxy, transfer, wrap, type ProxyMarked, type Remote } from 'comlink';
import { installComlinkHandlers } from '../boundary/comlink-handlers.ts';
import type { DatasetEngine } from './protocol.ts';
import { whenWorkerEnds } from '../boundary/worker-life.ts';

/** The worker's half: pictures' bytes are handed over, and what the page lent for a call is given back after it. */
export function exposeDatasetWorker(engine: DatasetEngine): void {
  installComlinkHandlers();
  const api: DatasetEngine = {
    open: (source) => engine.open(source),
    async read(dataset, format, onProgress, signal) {
      try {
        return await engine.read(dataset, format, onProgress, signal);
      } finally {
        giveBack(onProgress);
      }
    },
    items: (dataset, start, end) => engine.items(dataset, start, end),
    async picture(dataset, index) {
      const picture = await engine.picture(dataset, index);
      return transfer(picture, [picture.bytes.buffer]);
    },
    close: (dataset) => engine.close(dataset),
    async write(request, next, signal) {
      try {
        return await engine.write(request, next, signal);
      } finally {
        giveBack(next);
      }
    },
    knownLooks: (ids) => engine.knownLooks(ids),
    look: (pictures) => engine.look(pictures),
    groupAlike: (pictures, maxDistance) => engine.groupAlike(pictures, maxDistance),
  };
  expose(api);
}

const giveBack = (lent: unknown): void => (lent as Remote<ProxyMarked>)[releaseProxy]();

/** The page's half of the boundary; `ended` rejects when the worker dies. Bytes that are passed are the worker's. */
export function connectDatasetWorker(worker: Worker): {
  readonly engine: DatasetEngine;
  readonly ended: Promise<never>;
} {
  installComlinkHandlers();
  const api = wrap<DatasetEngine>(worker) as unknown as DatasetEngine;
  const ended = whenWorkerEnds(worker).then((words): never => {
    throw new Error(`Reading and writing datasets stopped: ${words}. Try it again.`);
  });
  ended.catch(() => undefined); // nobody's failure between calls
  const answer = <T>(call: Promise<T>): Promise<T> => Promise.race([call, ended]);
  return {
    ended,
    engine: {
      open: (source) => answer(api.open(source)),
      read: (dataset, format, onProgress, signal) => answer(api.read(dataset, format, proxy(onProgress), signal)),
      items: (dataset, start, end) => answer(api.items(dataset, start, end)),
      picture: (dataset, index) => answer(api.picture(dataset, index)),
      close: (dataset) => answer(api.close(dataset)),
      write(request, next, signal) {
        const lent = async () => {
          const pictures = await next();
          return transfer(pictures as (typeof pictures)[number][], buffersOf(pictures));
        };
        return answer(api.write(request, proxy(lent), signal));
      },
      knownLooks: (ids) => answer(api.knownLooks(ids)),
      look: (pictures) => answer(api.look(transfer([...pictures], buffersOf(pictures)))),
      groupAlike: (pictures, maxDistance) => answer(api.groupAlike(pictures, maxDistance)),
    },
  };
}

/** Each memory once: pictures that share one are copied, since the others would lose theirs. */
function buffersOf(pictures: readonly { readonly bytes: Uint8Array<ArrayBuffer> }[]): ArrayBuffer[] {
  return pictures.flatMap(({ bytes }) => (bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []));
}
