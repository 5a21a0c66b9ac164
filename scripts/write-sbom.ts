import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shippedPackages, type PackageLock } from './licences/shipped-packages.ts';

// dist/sbom.cdx.json: what ships, for those who watch over it, in CycloneDX's form and by npm itself. `npm sbom --omit=dev` of
// the repository leaves out what tools need, too, as svelte: so npm is shown a package that has no tools.

interface Bill {
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

const root = join(import.meta.dirname, '..');
const read = <T>(name: string): T => JSON.parse(readFileSync(join(root, name), 'utf8')) as T;
const { name, version, description, license, dependencies } = read<Record<string, unknown>>('package.json');
const own = { name, version, description, license, dependencies };
const lock = read<PackageLock & Record<string, unknown>>('package-lock.json');
const shipped = shippedPackages(lock);

const parent = mkdtempSync(join(tmpdir(), 'sightglass-sbom-'));
try {
  const folder = join(parent, String(name)); // npm takes the folder's name for the package's
  mkdirSync(folder);
  const packages = Object.fromEntries(shipped.map(({ path }) => [path, lock.packages[path]]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: { '': own, ...packages } }));
  const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`);
  const listed = new Set((JSON.parse(stdout) as Bill).components.map((one) => `${one.name}@${one.version}`));
  const missing = shipped.filter((one) => !listed.has(`${one.name}@${one.version}`));
  if (missing.length > 0) throw new Error(`npm sbom leaves out ${missing.map(({ path }) => path).join(', ')}.`);
  writeFileSync(join(root, 'dist', 'sbom.cdx.json'), stdout);
} finally {
  rmSync(parent, { recursive: true, force: true });
}
