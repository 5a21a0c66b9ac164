import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { importsOf } from '../walls/imports-of.ts';

/**
 * The tests among `files` (paths from the repository's root) that import one of `changed`, at whatever distance, or start
 * a worker that does; a changed test is one of them.
 */
export function testsReached(changed: readonly string[], files: readonly string[]): string[] {
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const target of [...importsOf(file), ...namedByUrl(file)])
      importers.set(target, [...(importers.get(target) ?? []), file]);
  const reached = new Set(changed);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return files.filter((file) => file.endsWith('.test.ts') && reached.has(file));
}

/** What a file names as `new URL('…', import.meta.url)`: the worker that it starts, the file that it reads. */
function namedByUrl(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/new URL\(\s*'([^']+)',\s*import\.meta\.url/g);
  return [...found].map(([, url]) => posix.join(posix.dirname(file), url!)).filter((path) => existsSync(path));
}
