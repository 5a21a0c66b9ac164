import { expect, it } from 'vitest';
import { sqliteMissing } from './sqlite-missing.ts';

it.each(['22.16.0', '22.20.1', '24.0.0', '24.21.0', '26.1.0'])('has SQLite in Node %s', (version) => {
  expect(sqliteMissing(version)).toBeNull();
});

it.each(['18.20.4', '20.20.2', '22.5.0', '22.15.9', '23.11.0'])(
  'has none that does in Node %s, and says so',
  (version) => {
    expect(sqliteMissing(version)).toMatch(
      new RegExp(`^[^.]+Node 24 \\(or 22\\.16 and later\\); this is Node ${version}\\.$`),
    );
  },
);
