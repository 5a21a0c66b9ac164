import { QueryError, type Query } from '../ports/query-runner.ts';
import { StoreError } from '../ports/store-error.ts';
import { PipelineExecution } from './mql/pipeline-execution.ts';
import { parseDocument, parseStages } from './mql/parse-stages.ts';
import { packEncodedRows, unpackRows } from './packed-rows.ts';
import type { QueryReading, QueryRows } from './query-rows.ts';
import { passReadings, unpackReadings } from './reading-document.ts';
import type { FromQueryWorker, QueryToAnswer, ToQueryWorker } from './query-worker.ts';

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
 * answer({ type: 'start', stages: packEncodedRows([serialize({ $limit: 5 })]), limits, nowMs: 0 });
 * answer({ type: 'finish' });
 * types; // => ['taken', 'answer']
 */
export function answerQueries(
  post: Post,
  read: ((query: Query) => Promise<QueryReading>) | null = null,
): (message: ToQueryWorker) => void {
  let execution: PipelineExecution | null = null;

  function answer(message: Exclude<ToQueryWorker, QueryToAnswer>): void {
    switch (message.type) {
      case 'start':
        execution = new PipelineExecution(parseStages(unpackRows(message.stages)), message.limits, message.nowMs);
        return post({ type: 'taken', more: true }, []);
      case 'rows':
      case 'readings':
      case 'documents':
        return post({ type: 'taken', more: addTo(execution!, message) }, []);
      case 'finish': {
        const rows = execution!.finish();
        execution = null;
        return postAnswer(rows);
      }
    }
  }

  async function answerAlone({ organizationId, source, stages, limits, nowMs }: QueryToAnswer): Promise<void> {
    const reading = await read!({ organizationId, source, stages: unpackRows(stages) });
    const alone = new PipelineExecution(parseStages(reading.stages), limits, nowMs);
    for await (const batch of reading.rows) if (!addTo(alone, batch)) break;
    postAnswer(alone.finish());
  }

  function postAnswer(encoded: readonly Uint8Array[]): void {
    const rows = packEncodedRows(encoded);
    post({ type: 'answer', rows }, [rows.bytes.buffer, rows.ends.buffer]);
  }

  function refuse(error: unknown): void {
    execution = null;
    if (error instanceof QueryError) post({ type: 'failed', code: error.code, message: error.message }, []);
    else if (error instanceof StoreError) post({ type: 'store-failed', code: error.code, message: error.message }, []);
    else queueMicrotask(() => throwDefect(error));
  }

  return (message) => {
    if (message.type === 'query') return void answerAlone(message).catch(refuse);
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
