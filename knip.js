// What nothing uses is refused; `knip --production` asks the same of what ships, where a test is no user.
const isOfWhatShips = process.argv.includes('--production');

const entry = [
  'src/cli/main.ts!',
  'bin/*.js!',
  'library/*.ts!',
  'workers/*/entry.ts!',
  'workers/service-worker/service-worker.ts!',
  'src/platform/node/query-worker-thread.ts!',
  'src/platform/node/sqlite-data-store/checkpoint-thread.ts!',
  'src/platform/node/session-thread.ts!',
  // What the build's models are written with.
  'src/models/onnx/edit-model.ts!',
  // Functions that the command line uses in part; a page draws the others.
  'src/evidence/evaluation/**/!(*.test).ts!',
  'scripts/*.ts',
  'scripts/docs/site/site.ts',
  'scripts/golden/*/*.ts',
  'bench/*.ts',
  'bench/{figures,pages}/**/*.ts',
  '{src,workers,scripts}/**/*.test.ts',
  'tests/**/*.ts',
];

export default {
  workspaces: {
    '.': { entry, project: ['{src,workers,library}/**/*.{ts,svelte}!', '!**/test-*.ts!', '{scripts,bench}/**/*.ts'] },
    'tests/clients/connect-1': { entry: ['*.ts!'] },
  },
  ignore: ['src/gen/**'],
  // Types of what is exported are exported with it; what ships may export to its test what its own file uses.
  ignoreExportsUsedInFile: isOfWhatShips || { interface: true, type: true },
  // Called by name, or installed by bench/peers.
  ignoreDependencies: [
    '@bufbuild/protoc-gen-es',
    '@vitest/browser',
    'assemblyscript',
    'svelte-check',
    'oxlint',
    'oxlint-tsgolint',
    '@huggingface/transformers',
    'onnxruntime-common',
    // Optional, and not installed here: a terminal looks for it.
    'onnxruntime-node',
  ],
  ignoreBinaries: ['go', 'ffmpeg', 'xz', 'prlimit', 'unshare', 'mount', 'umount', 'ip', 'turnserver'],
};
