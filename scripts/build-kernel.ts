import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modifiedMs = (path: string) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Compiles assembly/ to build/pixels.wasm unless that is newer than all it is made of. @throws with the compiler's words. */
export async function buildKernel(): Promise<void> {
  const sources = readdirSync(`${root}assembly`).map((name) => `assembly/${name}`);
  const newestMs = Math.max(...['scripts/build-kernel.ts', ...sources].map(modifiedMs));
  if (modifiedMs('build/pixels.wasm') > newestMs) return;
  mkdirSync(`${root}build`, { recursive: true });
  const outFile = `build/pixels.${process.pid}.wasm`;
  // As a program, not as a module: its types declare a console and numbers of their own.
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...['node_modules/assemblyscript/bin/asc.js', 'assembly/stretch-to-tensor.ts', '--outFile', outFile],
      ...['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--importMemory'],
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The kernel does not compile:\n${stderr}`);
  renameSync(root + outFile, `${root}build/pixels.wasm`); // tests in other processes never see half a file
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildKernel();
