import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ensureChromium } from './chromium.ts';
import { buildPart, runParts, testPart, type Part, type TestProject } from './run-parts.ts';
import { chooseTests } from './verify/choose-tests.ts';

// Checks what a change can break. `npm run verify` takes the files that differ from main, `npm run verify -- src/machine/config` those
// of the named files and folders: their format and lint, the types of all files (a type is used elsewhere), and the tests
// that reach them. `npm run test:all` runs everything.

const paths = process.argv.slice(2);
const changed = paths.length > 0 ? filesOf(...paths) : changedFiles();
if (changed.length === 0) {
  console.error(paths.length > 0 ? `No file is called ${paths.join(' or ')}.` : 'No file differs from main.');
  process.exit(2);
}
const scripts = changed.filter((file) => /\.(ts|js|svelte)$/.test(file));
const tests = chooseTests(changed, filesOf('*.ts', '*.svelte'));
const testsOf = (project: TestProject): string[] => tests.filter((test) => projectOf(test) === project);

const projects = (['unit', 'browser', 'server', 'e2e', 'engines'] as const).map((project) => ({
  project,
  files: testsOf(project),
}));
const counts = projects.map(({ project, files }) => `${files.length} ${project}`).join(', ');
console.log(`${changed.length} changed files; test files that reach them: ${counts}.`);

process.env['CHROMIUM_PATH'] = ensureChromium();
const parts: Part[] = [
  { name: 'format', command: ['npx', 'prettier', '--check', '--log-level', 'warn', '--ignore-unknown', ...changed] },
];
if (scripts.length > 0)
  parts.push(
    { name: 'lint', command: ['npx', 'eslint', '--max-warnings', '0', ...scripts] },
    { name: 'types', command: ['npm', 'run', 'check', '--', 'types'] },
  );
for (const { project, files } of projects) {
  const isOfBuild = ['server', 'e2e', 'engines'].includes(project);
  if (files.length > 0 && isOfBuild && !parts.includes(buildPart)) parts.push(buildPart);
  if (files.length > 0) parts.push(testPart(project, files));
}
runParts(parts);

function projectOf(test: string): TestProject {
  return (/^tests\/(browser|server|e2e|engines)\//.exec(test)?.[1] ?? 'unit') as TestProject;
}

/** Those of git's files that lie under these paths or fit these patterns, and are there; new ones too. */
function filesOf(...patterns: readonly string[]): string[] {
  return git('ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns).filter((file) =>
    existsSync(file),
  );
}

/** What differs from where this branch left main, committed or not, and new files. */
function changedFiles(): string[] {
  const main = git('branch', '--all', '--format', '%(refname:short)').find((name) => /^(origin\/)?main$/.test(name));
  const [base = 'HEAD'] = main === undefined ? [] : git('merge-base', main, 'HEAD');
  const files = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return files.filter((file) => existsSync(file));
}

function git(...args: readonly string[]): string[] {
  const lines = execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line !== '');
}
