import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mostKernelPages } from '../src/platform/kernel/kernel-bound.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const modifiedMs = (path: string) => statSync(root + path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The same code twice: a program says in its file whether its memory is shared between threads. */
const builds = [
  { file: 'build/pixels.wasm', options: ['--enable', 'simd'] },
  {
    file: 'build/pixels-shared.wasm',
    options: ['--enable', 'simd', '--enable', 'threads', '--sharedMemory', '--maximumMemory', String(mostKernelPages)],
  },
] as const;

/** Compiles assembly/ to build/ unless that is newer than all it is made of. @throws with the compiler's words. */
export async function buildKernel(): Promise<void> {
  const sources = readdirSync(`${root}assembly`).map((name) => `assembly/${name}`);
  const newestMs = Math.max(
    ...['scripts/build-kernel.ts', 'src/platform/kernel/kernel-bound.ts', ...sources].map(modifiedMs),
  );
  for (const { file, options } of builds) if (modifiedMs(file) <= newestMs) compile(file, options);
}

function compile(file: string, options: readonly string[]): void {
  mkdirSync(`${root}build`, { recursive: true });
  const outFile = file.replace('.wasm', `.${process.pid}.wasm`);
  // As a program, not as a module: its types declare a console and numbers of their own.
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/assemblyscript/bin/asc.js',
      'assembly/stretch-to-tensor.ts',
      '--outFile',
      outFile,
      '-O3',
      '--noAssert',
      '--runtime',
      'stub',
      '--importMemory',
      ...options,
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The kernel does not compile:\n${stderr}`);
  renameSync(root + outFile, root + file); // tests in other processes never see half a file
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildKernel();
