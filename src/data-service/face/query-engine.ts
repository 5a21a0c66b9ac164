// SQL and MQL: heavy, for whoever runs queries.

export { answerQueries } from '../query/answer-queries.ts';
export { allowedOperators, allowedStages } from '../query/mql/allowed-operators.ts';
export { indexedSinkDocument } from '../query/mql/sink-values.ts';
export { readQueryRows } from '../query/query-rows.ts';
export type { FromQueryWorker, QueryWorker, StartQueryWorker, ToQueryWorker } from '../query/query-worker.ts';
export { parseSql } from '../query/sql/parse-sql.ts';
