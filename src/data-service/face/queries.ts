// What callers of queries need: routes, limits, turns. The engine has a door of its own.

export { fairLimits, undivided } from '../query/fair-turns.ts';
export { IsolatedQueryRunner, outOfMemory } from '../query/isolated-query-runner.ts';
export { defaultQueryLimits } from '../query/query-limits.ts';
export { checkedStages } from '../query/query-routes.ts';
export { allReadings } from '../query/query-sources.ts';
export { askedFields } from '../query/sql/asked-fields.ts';
