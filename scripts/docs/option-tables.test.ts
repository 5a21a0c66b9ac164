import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withOptionTables } from './option-tables.ts';

it('docs/terminal.md has each option of each command as its record has it: node scripts/option-tables.ts writes them', () => {
  const page = readFileSync('docs/terminal.md', 'utf8');
  expect(page).toBe(withOptionTables(page));
});
