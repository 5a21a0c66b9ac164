import { deserialize } from 'bson';
import { PipelineExecution } from '../mql/pipeline-execution.ts';
import type { QueryDocument } from '../query-document.ts';
import { defaultQueryLimits } from '../query-limits.ts';
import { compileSelect } from './compile-select.ts';
import { parseSql } from './parse-sql.ts';

/** The answer to a SELECT over some documents. */
export function runSql(sql: string, documents: readonly QueryDocument[]): QueryDocument[] {
  const execution = new PipelineExecution(compileSelect(parseSql(sql)), defaultQueryLimits, 0);
  execution.add(structuredClone(documents));
  return execution.finish().map((bytes) => deserialize(bytes));
}
