import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { migrationHashes } from './release/migration-hashes.ts';

// Notes what a release publishes, which later ones keep (tests/contract/published-formats.test.ts): the wire and the migrations.
// `node scripts/note-published.ts`, once before each tag.
const folder = 'tests/published';
execFileSync('node_modules/.bin/buf', ['build', '--exclude-source-info', '-o', `${folder}/wire.binpb.gz`]);
writeFileSync(`${folder}/migrations.json`, `${JSON.stringify(migrationHashes(), null, 2)}\n`);
