import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestModule, TestSpecification } from 'vitest/node';

const file = 'scripts/test-times.json';
/** A file of tests that takes longer is no part of `npm test`. */
const slowMs = 3000;
/** Files that are not listed took less than this. */
const listedMs = 1000;

/**
 * Milliseconds that files of tests took when all were last measured, by `npm run test:all -- --measure`. Few that are fast are listed.
 */
export function readTestTimes(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
}

/** The files of tests that take longer than three seconds. */
export const slowTests = (): string[] =>
  Object.entries(readTestTimes()).flatMap(([path, ms]) => (ms > slowMs ? [path] : []));

/** Keeps what these files took, rounded to tenths of a second, beside the times of those that did not run. */
export function keepTestTimes(modules: readonly TestModule[]): void {
  const times = { ...readTestTimes() };
  for (const module of modules) {
    const path = pathOf(module.moduleId);
    const { duration } = module.diagnostic();
    if (duration >= listedMs) times[path] = Math.round(duration / 100) * 100;
    else delete times[path];
  }
  const sorted = Object.entries(times).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** What a file took when it was last measured. */
export const measuredMs = ({ moduleId }: TestSpecification, times: Readonly<Record<string, number>>): number =>
  times[pathOf(moduleId)] ?? listedMs / 4;

const pathOf = (moduleId: string): string => relative(process.cwd(), moduleId).replaceAll('\\', '/');
