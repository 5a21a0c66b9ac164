import { createTaskIndexes } from '../../data-store/task-index-sql.ts';

/** Who labels what, and what is said of it. */
export function labelTables(): string {
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
  ${createTaskIndexes}
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
