import { build } from 'vite';

// The installed command line: one file, its dependencies stay packages.
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'build/cli',
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: { output: { entryFileNames: 'sightglass.js' } },
  },
});
