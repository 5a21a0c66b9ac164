import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { importsOf } from '../walls/imports-of.ts';

/** The files of a folder that mutants are made of, by absolute path. */
export function filesIn(folder: string): string[] {
  return typescriptOf(`${folder}/**/*.ts`).filter((path) => !isTest(path) && !path.endsWith('.d.ts'));
}

/** The unit tests that are asked about a folder: those that lie in it, and those that import a file of it themselves. */
export function testsOf(folder: string): string[] {
  const files = new Set(filesIn(folder));
  const tests = typescriptOf('{src,scripts,workers}/**/*.test.ts', 'tests/contract/**/*.test.ts');
  return tests.filter((test) => isInside(folder, test) || importsOf(test).some((path) => files.has(path)));
}

const isTest = (path: string): boolean => path.endsWith('.test.ts');

const isInside = (folder: string, path: string): boolean => !relative(folder, path).startsWith('..');

const typescriptOf = (...patterns: string[]): string[] =>
  globSync(patterns)
    .map((path) => resolve(path))
    .sort();
