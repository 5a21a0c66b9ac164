import { QueryError, type Query } from '../ports/query-runner.ts';
import { StoreError } from '../ports/store-error.ts';
import { PipelineExecution } from './mql/pipeline-execution.ts';
import { parseDocument, parseStages } from './mql/parse-stages.ts';
import { packEncodedRows, unpackRows } from './packed-rows.ts';
import type { QueryReading, QueryRows } from './query-rows.ts';
import { passReadings, unpackReadings } from './reading-document.ts';
import type { FromQueryWorker, QueryToAnswer, ToQueryWorker } from './query-worker.ts';

/** The messages that are answered only after rows were read or computed, which is asynchronous. */
type Later = Extract<ToQueryWorker, { type: 'query' | 'finish' | 'more' }>;
const isLater = (message: ToQueryWorker): message is Later => ['query', 'finish', 'more'].includes(message.type);

/** Some thousand rows, so that few messages carry an answer, and none of them much memory. */
const bytesOfPart = (inParts: boolean): number => (inParts ? 2 ** 20 : Infinity);

type Post = (message: FromQueryWorker, transfer: readonly ArrayBufferLike[]) => void;

/**
 * Makes the worker's side of a query.
 * @param post sends an answer to the host
 * @param read reads the rows of a query, for a worker with access to the store; null: the host sends them
 * @returns the function that handles each message of the host
 * @example
 * import { packEncodedRows } from './packed-rows.ts';
 * import { serialize } from 'bson';
 * const types: string[] = [];
 * const answer = answerQueries(({ type }) => types.push(type));
 * const limits = { deadlineMs: 1000, maxRows: 100, maxMemoryBytes: 1e8 };
 * answer({ type: 'start', stages: packEncodedRows([serialize({ $limit: 5 })]), limits, nowMs: 0, inParts: false });
 * answer({ type: 'finish' });
 * await Promise.resolve();
 * types; // => ['taken', 'answer']
 */
export function answerQueries(
  post: Post,
  read: ((query: Query) => Promise<QueryReading>) | null = null,
): (message: ToQueryWorker) => void {
  let execution: PipelineExecution | null = null;
  let partBytes = Infinity;
  /** the rest of the answer, which is sent part by part */
  let parts: Iterator<Uint8Array[]> | AsyncIterator<Uint8Array[]> = [].values();

  function answer(message: Exclude<ToQueryWorker, Later>): void {
    if (message.type === 'start') {
      execution = new PipelineExecution(parseStages(unpackRows(message.stages)), message.limits, message.nowMs);
      partBytes = bytesOfPart(message.inParts);
      return post({ type: 'taken', more: true }, []);
    }
    const more = addTo(execution!, message);
    if (partBytes === Infinity) return post({ type: 'taken', more }, []);
    const rows = packEncodedRows(execution!.drain());
    post({ type: 'taken', more, rows }, [rows.bytes.buffer, rows.ends.buffer]);
  }

  async function answerLater(message: Later): Promise<void> {
    if (message.type === 'query') {
      partBytes = bytesOfPart(message.inParts);
      parts = answerAlone(message);
    }
    if (message.type === 'finish') {
      parts = execution!.finishInParts(partBytes);
      execution = null;
    }
    const { value, done = false } = await parts.next();
    const rows = packEncodedRows(done ? [] : value);
    const type = done || partBytes === Infinity ? 'answer' : 'part';
    post({ type, rows }, [rows.bytes.buffer, rows.ends.buffer]);
  }

  async function* answerAlone({ organizationId, source, stages, limits, nowMs }: QueryToAnswer) {
    const reading = await read!({ organizationId, source, stages: unpackRows(stages) });
    const alone = new PipelineExecution(parseStages(reading.stages), limits, nowMs);
    for await (const batch of reading.rows) {
      const more = addTo(alone, batch);
      if (alone.heldBytes >= partBytes) yield alone.drain();
      if (!more) break;
    }
    yield* alone.finishInParts(partBytes);
  }

  function refuse(error: unknown): void {
    execution = null;
    if (error instanceof QueryError) post({ type: 'failed', code: error.code, message: error.message }, []);
    else if (error instanceof StoreError) post({ type: 'store-failed', code: error.code, message: error.message }, []);
    else queueMicrotask(() => throwDefect(error));
  }

  return (message) => {
    if (isLater(message)) return void answerLater(message).catch(refuse);
    try {
      answer(message);
    } catch (error) {
      refuse(error);
    }
  };
}

function addTo(execution: PipelineExecution, batch: QueryRows): boolean {
  switch (batch.type) {
    case 'rows':
      return execution.add(batch.rows);
    case 'readings': {
      const { readings, paths } = batch;
      const isKept = paths === null || execution.keepsDocuments;
      return execution.add((isKept ? unpackReadings : passReadings)(readings, paths));
    }
    case 'documents':
      return execution.add(unpackRows(batch.documents).map((bytes) => parseDocument(bytes, 'A document of the sink')));
  }
}

/** Thrown outside of any promise, it ends the thread on every host, and the worker's owner is notified. */
function throwDefect(error: unknown): never {
  throw error;
}
