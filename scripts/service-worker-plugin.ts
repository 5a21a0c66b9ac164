import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build, type Plugin } from 'vite';
import type { BuildFiles } from '../workers/service-worker/cache-policy.ts';

/** Too much to hold up the installation: WebAssembly beyond the pixel kernel, LiteRT's loaders, everything built in, and the documentation. */
const isLarge = (path: string, byteLength: number) =>
  path.startsWith('builtin/') ||
  isOfDocs(path) ||
  path.includes('litert') ||
  (path.endsWith('.wasm') && byteLength > 400_000);
const isOfDocs = (path: string): boolean => path.startsWith('docs/');
/** Never asked for by the page itself. */
const isForOthers = (path: string) => /(^|\/)(sw\.js|.*\.map|LICEN[CS]E.*|\.vite\/.*)$/.test(path);
/**
 * The WebGPU build of ONNX Runtime, LiteRT, the object detector and its photographs, licences, and pictures of the documentation, are of no use to most visitors: they are kept
 * when they are used. The documentation's texts are small (150 KB compressed), and whoever has no network needs them most.
 */
const isOnlyForSome = (path: string) =>
  path.includes('asyncify') ||
  path.includes('litert') ||
  path === 'builtin/licences.json' ||
  /^builtin\/(things\/|models\/object-detector)/.test(path) ||
  /^docs\/.*\.(webp|service|yaml)$/.test(path);

/** Builds workers/service-worker to sw.js beside the page, with the list of what was built. */
export function serviceWorkerPlugin(): Plugin {
  let outDir = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    // After everything is written, public/ included.
    async closeBundle() {
      const files = await listBuild(outDir);
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: { __BUILD_FILES__: JSON.stringify(files) },
        build: {
          outDir,
          emptyOutDir: false,
          target: 'es2023',
          lib: { entry: 'workers/service-worker/service-worker.ts', formats: ['es'], fileName: () => 'sw.js' },
          // A service worker is one file, into which what is imported late goes too.
          rolldownOptions: { checks: { ineffectiveDynamicImport: false }, output: { codeSplitting: false } },
        },
      });
    },
  };
}

async function listBuild(outDir: string): Promise<BuildFiles> {
  const version = createHash('sha256');
  const shell: string[] = ['./'];
  const large: Record<string, string> = {};
  const paths: string[] = [];
  for await (const entry of glob('**/*', { cwd: outDir, withFileTypes: true })) {
    if (entry.isFile()) paths.push(relative(outDir, join(entry.parentPath, entry.name)).split(sep).join('/'));
  }
  for (const path of paths.sort()) {
    if (isForOthers(path)) continue;
    const bytes = await readFile(join(outDir, path));
    const revision = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    if (isLarge(path, bytes.length)) large[path] = revision;
    else if (path !== 'index.html') shell.push(path);
    version.update(`${path} ${revision}\n`);
  }
  const background = Object.keys(large).filter((path) => !isOnlyForSome(path));
  const docs = Object.keys(large).filter(isOfDocs);
  return { version: version.digest('hex').slice(0, 12), shell, large, background, docs };
}
