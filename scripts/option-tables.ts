import { readFileSync, writeFileSync } from 'node:fs';
import { withOptionTables } from './docs/option-tables.ts';

// Writes the tables of options in docs/terminal.md, as the records of the commands have them.
const path = 'docs/terminal.md';
writeFileSync(path, withOptionTables(readFileSync(path, 'utf8')));
