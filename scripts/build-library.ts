import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// What the package exports: `library` as JavaScript for Node and bundlers, and its types. Dependencies stay packages.
const outDir = 'build/library';

await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    rolldownOptions: {
      input: globSync('library/*.ts'),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});

const tsc = fileURLToPath(new URL('../node_modules/@typescript/native/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [tsc, '-p', 'library'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
// Declarations keep the specifiers of the sources, which end in .ts; a consumer has .d.ts files, found by .js.
for (const path of globSync(`${outDir}/**/*.d.ts`)) {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2'));
}
