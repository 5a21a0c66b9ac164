import { QueryError } from '../ports/query-runner.ts';
import { PipelineExecution } from './mql/pipeline-execution.ts';
import { parseDocument, parseStages } from './mql/parse-stages.ts';
import { packEncodedRows, unpackRows } from './packed-rows.ts';
import type { QueryDocument } from './query-document.ts';
import { unpackReadings } from './reading-document.ts';
import { compileSql } from './sql/compile-sql.ts';
import type { FromQueryWorker, ToQueryWorker } from './query-worker.ts';

type Post = (message: FromQueryWorker, transfer: readonly ArrayBufferLike[]) => void;

/** The worker's half: returns the function that takes each message of the host and posts the answers. */
export function answerQueries(post: Post): (message: ToQueryWorker) => void {
  let execution: PipelineExecution | null = null;

  function answer(message: ToQueryWorker): void {
    switch (message.type) {
      case 'start':
        execution = new PipelineExecution(parseStages(unpackRows(message.stages)), message.limits, message.nowMs);
        return post({ type: 'taken', more: true }, []);
      case 'rows':
        return post({ type: 'taken', more: execution!.add(message.rows) }, []);
      case 'readings':
        return post({ type: 'taken', more: execution!.add(unpackReadings(message.readings, message.paths)) }, []);
      case 'documents':
        return post({ type: 'taken', more: execution!.add(unpackRows(message.documents).map(parseKept)) }, []);
      case 'sql': {
        const stages = packEncodedRows(compileSql(message.text));
        return post({ type: 'stages', stages }, [stages.bytes.buffer, stages.ends.buffer]);
      }
      case 'finish': {
        const rows = packEncodedRows(execution!.finish());
        execution = null;
        return post({ type: 'answer', rows }, [rows.bytes.buffer, rows.ends.buffer]);
      }
    }
  }

  return (message) => {
    try {
      answer(message);
    } catch (error) {
      execution = null;
      if (!(error instanceof QueryError)) return queueMicrotask(() => throwDefect(error));
      post({ type: 'failed', code: error.code, message: error.message }, []);
    }
  };
}

const parseKept = (bytes: Uint8Array): QueryDocument => parseDocument(bytes, 'A document of the sink');

/** Outside of any promise it ends the thread in every host, and its owner hears of it. */
function throwDefect(error: unknown): never {
  throw error;
}
