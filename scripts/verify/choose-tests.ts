import { testsOfFolders } from './tests-of-folders.ts';
import { testsReached } from './tests-reached.ts';

/** What decides how everything is built and tested. */
const ofEverything = ['package.json', 'package-lock.json', 'vitest.config.ts', 'tsconfig.base.json'];

/** The tests among `files` that a change of these files can make fail, in the order of their paths. */
export function chooseTests(changed: readonly string[], files: readonly string[]): string[] {
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  if (changed.some((path) => ofEverything.includes(path))) return tests;
  const rows = testsOfFolders.filter(({ path }) =>
    changed.some((file) => file === path || file.startsWith(`${path}/`)),
  );
  const named = rows.flatMap((row) => row.tests.map((test) => `tests/${test}`));
  const reached = new Set(testsReached(changed, files));
  return tests.filter((test) => reached.has(test) || named.some((beginning) => test.startsWith(beginning)));
}
