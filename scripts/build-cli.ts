import { build } from 'vite';

// Into build/cli, or another folder of `build`: node scripts/build-cli.ts build/tested-cli. The installed command line, in one folder as deep as those of src/cli, so that every file finds dist/ and its threads from where it is;
// dependencies stay packages.
await build({
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: process.argv[2] ?? 'build/cli',
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {
      input: {
        sightglass: 'src/cli/main.ts',
        'query-worker-thread': 'src/platform/node/query-worker-thread.ts',
        'session-thread': 'src/platform/node/session-thread.ts',
        'checkpoint-thread': 'src/platform/node/sqlite-data-store/checkpoint-thread.ts',
      },
      output: { entryFileNames: 'bundle/[name].js', chunkFileNames: 'bundle/[name].js' },
    },
  },
});
