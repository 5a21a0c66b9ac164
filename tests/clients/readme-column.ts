import { readFileSync, writeFileSync } from 'node:fs';
import { readTable, withTable, type Column, type Marks } from './operation-table.ts';

const path = new URL('../../docs/data-service.md', import.meta.url);

/**
 * What docs/data-service.md says of a column; `npm run table` makes it say what passed. Read and written at once, so that the
 * columns of tests that run together do not undo each other.
 */
export function readmeColumn(column: Column, passed: Marks): Marks {
  const readme = readFileSync(path, 'utf8');
  const table = readTable(readme);
  if (process.env['SIGHTGLASS_TABLE'] !== 'write') return table[column];
  writeFileSync(path, withTable(readme, { ...table, [column]: passed }));
  return passed;
}
