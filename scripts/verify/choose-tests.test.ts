import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseTests } from './choose-tests.ts';
import { testsOfFolders } from './tests-of-folders.ts';

const files = execFileSync('git', ['ls-files', '*.ts', '*.svelte'], { encoding: 'utf8' }).trim().split('\n');
const there = files.filter((file) => existsSync(file));
const tests = there.filter((file) => file.endsWith('.test.ts'));

describe('the tests of a change', () => {
  it.each([
    [
      'a file and what imports it',
      'src/machine/config/edit/edit-config.ts',
      'src/machine/config/edit/edit-config.test.ts',
    ],
    [
      'a component, by the test in Chromium that mounts it',
      'src/app/kit/controls/NumberField.svelte',
      'tests/browser/number-field.test.ts',
    ],
    ['what a worker runs, by the test that starts it', 'workers/vision/api.ts', 'tests/browser/vision-client.test.ts'],
    [
      'what only the built app shows',
      'src/app/bench/write-back/WriteBackDialog.svelte',
      'tests/e2e/write-back.test.ts',
    ],
    ['a test itself', 'tests/e2e/tuning.test.ts', 'tests/e2e/tuning.test.ts'],
  ])('are those of %s', (_, changed, test) => expect(chooseTests([changed], there)).toContain(test));

  it('are none that it cannot touch', () => {
    expect(chooseTests(['src/models/profile/quantile.ts'], there)).not.toContain(
      'src/evidence/datasets/round-trip.test.ts',
    );
    expect(chooseTests(['CHANGELOG.md'], there)).toEqual([]);
  });

  it('are all where it decides how tests are run', () => expect(chooseTests(['package.json'], there)).toEqual(tests));
});

describe('the table of folders', () => {
  it.each(testsOfFolders)('names what is there: $path', ({ path, tests: named }) => {
    expect(existsSync(path), path).toBe(true);
    for (const beginning of named)
      expect(
        tests.some((test) => test.startsWith(`tests/${beginning}`)),
        beginning,
      ).toBe(true);
  });

  it('names every test that imports nothing of what it runs', () => {
    const unnamed = tests.filter(
      (test) =>
        /^tests\/(e2e|server)\//.test(test) &&
        !testsOfFolders.some((row) => row.tests.some((beginning) => test.startsWith(`tests/${beginning}`))),
    );
    expect(unnamed).toEqual([]);
  });
});
