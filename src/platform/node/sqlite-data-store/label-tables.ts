import { taskIndexes } from '../../data-store/label-rules.ts';

/** Who labels what, and what is said of it. */
export function labelTables(): string {
  const indexes = taskIndexes.map(
    (columns) => `
  CREATE INDEX label_tasks_by_${[...columns, 'time'].join('_')}
    ON label_tasks (organization_id, ${[...columns, 'time_created', 'id'].join(', ')});`,
  );
  return `
  CREATE TABLE label_tasks (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    binary_data_id TEXT NOT NULL,
    location_id TEXT NOT NULL,
    dataset_id TEXT NOT NULL,
    assignee TEXT NOT NULL,
    state TEXT NOT NULL,
    time_created REAL NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
  ${indexes.join('')}
  CREATE TABLE label_comments (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL,
    binary_data_id TEXT NOT NULL,
    time_created REAL NOT NULL,
    entry BLOB NOT NULL
  ) STRICT;
  CREATE INDEX label_comments_by_binary_data_id ON label_comments (organization_id, binary_data_id, time_created, id);
  CREATE TABLE label_schemes (
    organization_id TEXT NOT NULL,
    dataset_id TEXT NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (organization_id, dataset_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE label_presence (
    organization_id TEXT NOT NULL,
    binary_data_id TEXT NOT NULL,
    worker TEXT NOT NULL,
    until REAL NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (organization_id, binary_data_id, worker)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX label_presence_by_end ON label_presence (until);
  `;
}
