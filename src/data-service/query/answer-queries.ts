import { QueryError } from '../ports/query-runner.ts';
import { PipelineExecution } from './mql/pipeline-execution.ts';
import { parseDocument, parseStages } from './mql/parse-stages.ts';
import { packRows, unpackRows } from './packed-rows.ts';
import type { QueryDocument } from './query-document.ts';
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
      case 'documents':
        return post({ type: 'taken', more: execution!.add(unpackRows(message.documents).map(parseKept)) }, []);
      case 'finish': {
        const rows = packRows(execution!.finish());
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
      if (!(error instanceof QueryError)) throw error;
      post({ type: 'failed', code: error.code, message: error.message }, []);
    }
  };
}

const parseKept = (bytes: Uint8Array): QueryDocument => parseDocument(bytes, 'A document of the sink');
