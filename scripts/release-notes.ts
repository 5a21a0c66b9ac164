import { readFileSync } from 'node:fs';
import { notesOf } from './release/notes-of.ts';

// Prints what CHANGELOG.md says of a tag: `node scripts/release-notes.ts v1.2.3`. Fails where package.json has another version.
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
console.log(notesOf(process.argv[2] ?? '', version, readFileSync('CHANGELOG.md', 'utf8')));
