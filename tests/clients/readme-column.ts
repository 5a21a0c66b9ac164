import { readFileSync, writeFileSync } from 'node:fs';
import { readTable, withTable, type Column, type Marks } from './operation-table.ts';

const path = new URL('../../docs/data-service.md', import.meta.url);

/**
 * The documented results of a column in docs/data-service.md; `npm run table` writes the passed ones there first. Reading
 * and writing is one synchronous step, so that columns of concurrent tests do not overwrite each other.
 */
export function readmeColumn(column: Column, passed: Marks): Marks {
  const readme = readFileSync(path, 'utf8');
  const table = readTable(readme);
  if (process.env['SIGHTGLASS_TABLE'] !== 'write') return table[column];
  writeFileSync(path, withTable(readme, { ...table, [column]: passed }));
  return passed;
}
