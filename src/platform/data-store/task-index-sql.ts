import { taskIndexes } from './label-rules.ts';

/** The name of an index of `taskIndexes` in a database. */
export const taskIndexName = (columns: readonly string[]): string => `label_tasks_by_${[...columns, 'time'].join('_')}`;

/** Makes the indexes of `taskIndexes`, on the table `label_tasks`. */
export const createTaskIndexes = taskIndexes
  .map(
    (columns) => `
  CREATE INDEX ${taskIndexName(columns)}
    ON label_tasks (organization_id, ${[...columns, 'time_created', 'id'].join(', ')});`,
  )
  .join('');
