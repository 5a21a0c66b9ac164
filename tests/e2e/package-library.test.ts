import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

// The package as it is published, in a project that imports it: what docs/library.md shows runs there.

const root = join(import.meta.dirname, '../..');
const examples = [...readFileSync(join(root, 'docs/library.md'), 'utf8').matchAll(/^```js\n([^]*?)^```/gm)].map(
  ([, code], number) => ({ name: `example-${number}.mjs`, code: checked(code!) }),
);
let project = '';

/** Lines that say what they give become checks that need no host. */
function checked(code: string): string {
  const check = `const check = (got, wanted) => {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(JSON.stringify(got) + ' is not ' + JSON.stringify(wanted));
};\n`;
  return check + code.replace(/^(.*); \/\/ => (.*)$/gm, 'check($1, $2);');
}

const run = (command: string, args: readonly string[], cwd = project): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'sightglass-library-'));
  const installed = join(project, 'node_modules', 'sightglass');
  mkdirSync(installed, { recursive: true });
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], root));
  run('tar', ['-xzf', packed.filename, '--strip-components=1', '-C', installed]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies).filter((dependency) => !dependency.startsWith('@')))
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  for (const { name, code } of examples) writeFileSync(join(project, name), code);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

it.each(examples)('runs $name in Node', ({ name }) => {
  run(process.execPath, [name]);
});

it('goes through a bundler, for a host that has nothing of Node', async () => {
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { lib: { entry: examples.map(({ name }) => join(project, name)), formats: ['es'] }, minify: false },
  });
  for (const { name } of examples) {
    const bundle = join(project, 'dist', name.replace('.mjs', '.js'));
    expect(readFileSync(bundle, 'utf8')).not.toMatch(/from "(?!\.)/);
    run(process.execPath, [bundle]);
  }
});

it('has types that hold without those of a browser or of Node', () => {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { lint, type Finding } from 'sightglass/config';
import { evaluateCoco, TruthSetBuilder, DetectionSetBuilder } from 'sightglass/evaluation';
import { serviceFilter, type RawDetections } from 'sightglass/vision';
export const found: readonly Finding[] = lint('{}');
export const keep = (raw: RawDetections): Uint32Array =>
  serviceFilter({ defaultMinimumConfidence: 0.5, labelConfidences: {} }).rows(raw).kept;
export const figure: number | null = evaluateCoco(new TruthSetBuilder().build(), new DetectionSetBuilder().build(), {
  imageCount: 1,
  labels: ['cat'],
}).metrics.AP;
// @ts-expect-error a configuration is text
lint(7);
`,
  );
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  for (const resolution of ['nodenext', 'preserve'])
    run(process.execPath, [
      tsc,
      ...`typed.ts --noEmit --strict --target es2023 --lib es2023 --module ${resolution}`.split(' '),
      '--types',
      '',
    ]);
});
