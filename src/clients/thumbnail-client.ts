import type { ThumbnailAnswer, ThumbnailQuestion } from '../rpc/thumbnail-protocol.ts';

/** Draws small pictures of stored ones, off the page, and remembers them from visit to visit. */
export interface ThumbnailClient {
  /** Those that were drawn before. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Blob>>;
  /** Null where this browser cannot decode the picture. */
  draw(id: string, image: Blob): Promise<Blob | null>;
}

type Unnumbered<Question> = Question extends unknown ? Omit<Question, 'number'> : never;

/** The worker starts with the first question; when it dies, what was asked has no picture and the next question starts it again. */
export function createThumbnailClient(startWorker: () => Worker): ThumbnailClient {
  let worker: Worker | null = null;
  let lastNumber = 0;
  const waiting = new Map<number, (answer: ThumbnailAnswer | null) => void>();

  function start(): Worker {
    const started = startWorker();
    started.onmessage = ({ data }: MessageEvent<ThumbnailAnswer>) => {
      waiting.get(data.number)?.(data);
      waiting.delete(data.number);
    };
    started.onerror = () => {
      started.terminate();
      worker = null;
      for (const answer of waiting.values()) answer(null);
      waiting.clear();
    };
    return started;
  }

  function ask(question: Unnumbered<ThumbnailQuestion>): Promise<ThumbnailAnswer | null> {
    const number = ++lastNumber;
    return new Promise((resolve) => {
      waiting.set(number, resolve);
      (worker ??= start()).postMessage({ ...question, number } satisfies ThumbnailQuestion);
    });
  }

  return {
    async find(ids) {
      const answer = await ask({ kind: 'find', ids });
      return answer?.kind === 'found' ? answer.thumbnails : new Map();
    },
    async draw(id, image) {
      const answer = await ask({ kind: 'draw', id, image });
      return answer?.kind === 'drawn' ? answer.thumbnail : null;
    },
  };
}
