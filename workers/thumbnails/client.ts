import type { PictureBytes, ThumbnailAnswer, ThumbnailQuestion } from './protocol.ts';

/** Draws small pictures of stored ones, off the page, and remembers them from visit to visit. */
export interface ThumbnailClient {
  /** Those that were drawn before, as data: URLs. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * A data: URL each, in their order, as it is drawn; null where this browser cannot decode the picture. The bytes go
   * to the worker as they are: here they are empty afterwards, and what shares their buffers too.
   */
  draw(pictures: readonly PictureBytes[]): readonly Promise<string | null>[];
}

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

  function answerTo(number: number): Promise<ThumbnailAnswer | null> {
    return new Promise((resolve) => waiting.set(number, resolve));
  }

  function ask(question: ThumbnailQuestion, transfer: Transferable[] = []): void {
    (worker ??= start()).postMessage(question, transfer);
  }

  return {
    async find(ids) {
      const number = ++lastNumber;
      const answered = answerTo(number);
      ask({ kind: 'find', number, ids });
      const answer = await answered;
      return answer?.kind === 'found' ? answer.urls : new Map();
    },
    draw(pictures) {
      const numbered = pictures.map((picture) => ({ ...picture, number: ++lastNumber }));
      const drawn = numbered.map(async ({ number }) => {
        const answer = await answerTo(number);
        return answer?.kind === 'drawn' ? answer.url : null;
      });
      ask({ kind: 'draw', pictures: numbered }, [...new Set(pictures.map(({ bytes }) => bytes.buffer))]);
      return drawn;
    },
  };
}
