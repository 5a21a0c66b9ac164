import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('the package has every page that its pages lead to', async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 64 * 2 ** 20 });
  const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  const packed = new Set(files.map(({ path }) => path));
  const pages = [...packed].filter((path) => /^(README|docs\/.+|ATTRIBUTION)\.md$/.test(path) || path === 'README.md');
  expect(pages).toContain('docs/sql.md');
  const lost: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(root, page), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
    const linked = targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => join(dirname(page), target));
    const named = [...text.matchAll(/`?\b((?:docs|deploy)\/[\w.-]+\.\w+)/g)].map(([, target]) => target!);
    for (const target of [...linked, ...named]) {
      if (!packed.has(target)) lost.push(`${page} → ${target}`);
    }
  }
  expect([...new Set(lost)]).toEqual([]);
  expect(packed).toContain('deploy/sightglass.alerts.yaml');
});
