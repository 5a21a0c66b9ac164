/**
 * Who may import whom. What no line here names is refused, by lint (`respect-walls.ts`) and in the tests beside it; a
 * new folder needs a row of its own. CONTRIBUTING.md shows the same table: `npm run map` writes its last column.
 *
 * A path names a file, or a folder without the rooms inside it that have their own row.
 */
export interface Room {
  /** a folder, or one file; '.' is the files beside package.json */
  readonly path: string;
  /** what it may import, as type or value */
  readonly values?: readonly string[];
  /** where it may take types from */
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
  /** packages of which one file may import one: a technology stays behind the port that it implements */
  readonly onePackageAFile?: readonly string[];
  /**
   * Its folders by floor, the highest first: a folder imports only what stands on a lower floor. The files beside the
   * folders stand above all of them.
   */
  readonly floors?: readonly (readonly string[])[];
  /** what only its tests import, paths or packages */
  readonly tests?: readonly string[];
}

/** A tool: what it imports reaches no user. */
export const everything = '*';

const protobuf = '@bufbuild/protobuf';
const connect = '@connectrpc/connect';
const node = 'node:*';

export const rooms: readonly Room[] = [
  {
    path: 'src/config',
    types: ['src/vision', 'src/fit/modules'],
    tests: ['src/fit/modules'],
    packages: ['jsonc-parser', 'fflate'],
  },
  {
    path: 'src/vision',
    // A PNG's chunks have the checksum that zips have.
    values: ['src/datasets/files/crc32.ts'],
    types: ['src/config'],
    tests: ['fast-png', 'fflate', 'public/fonts'],
  },
  {
    path: 'src/onnx',
    values: ['src/gen', 'src/vision/inference/model-error.ts'],
    types: ['src/vision'],
    packages: [protobuf],
    tests: ['onnxruntime-web'],
  },
  { path: 'src/models', values: ['src/onnx', 'src/tflite'], types: ['src/vision', 'src/fit/modules'] },
  { path: 'src/profile' },
  { path: 'src/model-graph', types: ['src/vision'], packages: ['@dagrejs/dagre'] },
  {
    path: 'src/tflite',
    values: [
      'src/fit/modules/tflite-limits.ts',
      'src/vision/inference/model-error.ts',
      'src/vision/inference/stated-feeding.ts',
      'src/vision/decode/labels.ts',
    ],
    types: ['src/vision'],
    packages: ['fflate'],
  },
  {
    path: 'src/fit/modules',
    values: ['src/vision/preprocess/channels-first.ts'],
    types: ['src/onnx', 'src/vision'],
    tests: ['src/onnx'],
  },
  { path: 'src/fit/readings', values: ['src/vision'], types: ['src/config'] },
  { path: 'src/fit/solver', values: ['src/vision', 'src/fit/readings'], types: ['src/config'] },
  {
    path: 'src/fit',
    values: [
      'src/gen',
      'src/onnx',
      'src/fit/modules',
      'src/vision/inference',
      'src/vision/preprocess',
      'src/vision/decode/labels.ts',
    ],
    types: ['src/vision'],
    tests: [protobuf, 'src/config', 'src/platform/decode', 'src/platform/node', 'src/vision'],
  },
  {
    path: 'src/data-service',
    values: ['src/gen'],
    types: ['src/vision/normalized-box.ts'],
    packages: [protobuf, connect, '@noble/hashes', 'bson', 'croner', 'jose', 'mingo'],
  },
  {
    path: 'src/capture',
    // A bench file loses its secrets in its writer: no caller can forget it.
    values: ['src/config/without-secrets.ts'],
    types: ['src/config', 'src/vision'],
    packages: ['@zip.js/zip.js'],
    tests: ['fflate', 'src/outbox'],
  },
  { path: 'src/outbox', values: ['src/gen'], types: ['src/capture'], packages: [protobuf, connect] },
  {
    path: 'src/live-machine',
    // How a key becomes a token, and what a broken call means, is one for all servers.
    values: ['src/gen', 'src/vision', 'src/outbox/read-failure.ts'],
    types: ['src/outbox/access-tokens.ts'],
    packages: [protobuf, connect],
  },
  {
    path: 'src/account',
    values: ['src/gen', 'src/config', 'src/ports/watched-config.ts', 'src/outbox/read-failure.ts'],
    packages: [protobuf, connect],
  },
  {
    path: 'src/datasets',
    types: ['src/vision/normalized-box.ts'],
    packages: ['@noble/hashes', 'fflate', 'saxes', 'yaml'],
    tests: ['fast-png'],
  },
  { path: 'src/gen', packages: [protobuf] },
  { path: 'src/ports', types: ['src/vision'] },
  {
    path: 'src/platform',
    values: [
      'src/vision',
      'src/tflite',
      'src/account/link-account.ts',
      'src/live-machine/link-machine.ts',
      'src/outbox/access-tokens.ts',
      'src/outbox/authorized-transport.ts',
      'src/outbox/read-failure.ts',
      'src/outbox/target-keys.ts',
      'src/outbox/watched-fetch.ts',
    ],
    types: ['src/account/account.ts', 'src/live-machine/live-machine.ts', 'src/profile'],
    packages: [connect],
    onePackageAFile: ['onnxruntime-web', '@connectrpc/connect-web'],
    tests: ['build', 'scripts'],
  },
  { path: 'src/platform/decode', values: ['src/vision'], tests: ['fflate'] },
  { path: 'src/platform/data-store', values: ['src/data-service/ports'] },
  {
    path: 'src/platform/browser',
    values: [
      'src/vision',
      'src/tflite/read-tflite.ts',
      'src/capture',
      'src/outbox',
      'src/datasets',
      'src/data-service/ports',
      'src/data-service/dependencies.ts',
      'src/data-service/access',
      'src/data-service/downloads/download.ts',
      'src/data-service/query/fair-turns.ts',
      'src/data-service/query/isolated-query-runner.ts',
      'src/data-service/query/query-rows.ts',
      'src/platform',
      'src/platform/data-store',
      'src/platform/decode',
      'src/ports',
      'build/pixels.wasm',
      'build/pixels-shared.wasm',
      'package.json',
    ],
    types: ['src/config', 'src/data-service', 'src/profile'],
    packages: [protobuf, connect],
    onePackageAFile: [
      '@connectrpc/connect-web',
      '@noble/hashes',
      '@zip.js/zip.js',
      'fast-png',
      'idb',
      '@litertjs/core',
      'onnxruntime-web',
      'three',
    ],
  },
  {
    path: 'src/platform/node',
    values: [
      'src/vision',
      'src/tflite/read-tflite.ts',
      'src/data-service/ports',
      'src/data-service/query/answer-queries.ts',
      'src/data-service/query/isolated-query-runner.ts',
      'src/data-service/query/query-rows.ts',
      'src/platform',
      'src/platform/data-store',
      'src/platform/decode',
    ],
    types: ['src/data-service'],
    packages: [node],
    onePackageAFile: ['@litertjs/core', 'fast-png', 'onnxruntime-web'],
    tests: ['bson', 'mingo'],
  },
  { path: 'workers/boundary', values: ['src/platform/browser/random-id.ts'], packages: ['comlink'] },
  {
    path: 'workers/vision',
    values: [
      'src/vision',
      'src/platform/browser',
      'workers/boundary',
      'workers/inference/client.ts',
      'workers/inference/entry.ts',
      'workers/inference/tensor-buffers.ts',
      'workers/vision/engine',
    ],
    types: ['src/config', 'src/ports', 'src/fit/modules', 'src/fit/readings', 'src/fit/solver'],
    packages: ['comlink'],
  },
  {
    path: 'workers/vision/engine',
    values: [
      'src/config/run-key.ts',
      'src/vision',
      'src/fit/modules',
      'src/fit/readings',
      'src/fit/solver',
      'src/models',
      'src/onnx',
      'src/capture',
      'src/profile/quantile.ts',
      'src/ports',
      'workers/vision/protocol.ts',
    ],
    types: ['src/config', 'workers/inference/client.ts'],
    tests: ['src/gen', protobuf],
  },
  {
    path: 'workers/vision/client',
    values: ['src/profile/quantile.ts', 'workers/boundary', 'workers/vision/protocol.ts'],
    types: ['src/vision', 'src/ports', 'workers/vision/api.ts'],
    packages: ['comlink'],
  },
  {
    path: 'workers/inference',
    // A model that a live machine runs is called from here, where its tensors are packed off the other threads.
    values: [
      'src/vision',
      'src/platform/browser',
      'src/platform/machine-link.ts',
      'src/live-machine/borrow-session.ts',
      'workers/boundary',
    ],
    types: ['src/ports'],
    packages: ['comlink'],
  },
  {
    path: 'workers/data-service',
    values: [
      'src/gen',
      'src/data-service',
      'src/platform/browser',
      'workers/boundary',
      'workers/query/client.ts',
      'workers/query/entry.ts',
    ],
    packages: [protobuf, connect],
  },
  { path: 'workers/query', values: ['src/data-service/query'] },
  {
    path: 'workers/datasets',
    values: ['src/datasets', 'workers/boundary', 'workers/datasets/engine'],
    packages: ['comlink'],
  },
  {
    path: 'workers/datasets/engine',
    values: ['src/datasets', 'src/platform/browser'],
    types: ['workers/datasets/protocol.ts'],
  },
  {
    path: 'workers/thumbnails',
    values: [
      'src/datasets/image-size/without-orientation.ts',
      'src/platform/browser',
      'src/vision/image-kind.ts',
      'workers/boundary',
    ],
    packages: ['comlink'],
  },
  {
    path: 'workers/point-cloud',
    values: ['src/platform/browser', 'workers/boundary'],
    types: ['src/ports'],
    packages: ['comlink'],
  },
  {
    path: 'workers/fit',
    values: ['src/fit', 'src/platform/browser', 'workers/boundary', 'workers/vision/engine/read-model-source.ts'],
    types: ['src/ports', 'src/fit/modules'],
    packages: ['fflate'],
  },
  {
    path: 'workers/model-graph',
    values: [
      'src/model-graph',
      'src/models',
      'src/platform/browser',
      'workers/boundary',
      'workers/vision/engine/read-model-source.ts',
    ],
    types: ['src/ports', 'src/vision'],
  },
  {
    path: 'workers/model-profile',
    values: [
      'src/platform/browser',
      'src/profile',
      'workers/boundary',
      'workers/inference/tensor-buffers.ts',
      'workers/vision/engine/read-model-source.ts',
    ],
    types: ['src/ports', 'src/vision'],
    packages: ['comlink'],
  },
  { path: 'workers/service-worker', values: ['src/data-service/access', 'src/platform/browser'] },
  {
    path: 'src/app/kit',
    // What a failed call of a service means is said in the same words everywhere.
    packages: ['svelte', '@codemirror/*', '@lezer/highlight', connect],
    floors: [
      ['layout', 'edits', 'colours'],
      ['controls', 'lists', 'words', 'schedule', 'memory', 'keys', 'code'],
    ],
  },
  {
    path: 'src/app/kit/picture',
    values: ['src/app/kit', 'src/datasets/image-size/read-image-size.ts'],
    types: ['src/vision'],
    tests: ['src/vision'],
    packages: ['svelte'],
  },
  { path: 'src/app/areas', values: ['src/app/kit'] },
  {
    path: 'src/app/captures',
    values: ['src/app/kit', 'src/outbox/file-name.ts'],
    types: ['src/capture', 'src/outbox', 'src/ports'],
    tests: ['src/capture'],
    packages: ['svelte'],
  },
  {
    path: 'src/app/bench',
    values: [
      'src/app/kit',
      'src/app/kit/picture',
      'src/app/areas',
      'src/app/captures',
      'src/config',
      'src/vision',
      // Not the tables of operators: a worker judges files.
      'src/fit/modules/judge-module.ts',
      'src/fit/modules/known-modules.ts',
      'src/fit/modules/module-finding.ts',
      'src/fit/readings',
      'src/fit/solver',
      'src/capture',
      'src/outbox',
      'src/live-machine',
      'src/account',
      'src/datasets',
      'src/profile',
      'src/ports',
      'workers/vision/client',
    ],
    types: [
      'workers/vision/protocol.ts',
      'workers/fit/client.ts',
      'workers/model-graph/client.ts',
      'workers/model-profile/client.ts',
    ],
    packages: ['@codemirror/*', '@lezer/highlight', 'jsonc-parser', 'svelte'],
    floors: [
      ['stage', 'shortcuts', 'panels/config', 'panels/results', 'capture/bench-file'],
      ['panels/models', 'panels/sources', 'panels/thresholds', 'capture', 'solver', 'write-back'],
      ['panels/transforms', 'borrow', 'fit', 'intake', 'machine-check', 'profile', 'thresholds', 'visit'],
      ['models', 'results', 'sources'],
      ['config', 'graph', 'live-machine', 'session', 'view'],
    ],
  },
  {
    path: 'src/app/data',
    values: [
      'src/app/kit',
      'src/app/kit/picture',
      'src/app/areas',
      'src/app/captures',
      'src/config',
      'src/vision',
      'src/capture',
      'src/outbox',
      'src/datasets',
      'src/gen',
      // What the service will do, said before it is asked: the same rules, so that both say the same.
      'src/data-service/wire/dial-address.ts',
      'src/data-service/pipelines/run-timing.ts',
      'src/data-service/pipelines/schedule.ts',
      'src/data-service/query/mql/allowed-operators.ts',
      'src/data-service/query/sql/asked-fields.ts',
      'src/data-service/query/sql/parse-sql.ts',
    ],
    types: [
      'src/ports',
      'workers/data-service/client.ts',
      'workers/datasets/client.ts',
      'workers/thumbnails/client.ts',
      'workers/thumbnails/protocol.ts',
      'workers/point-cloud/client.ts',
    ],
    packages: [
      protobuf,
      connect,
      '@codemirror/*',
      '@lezer/highlight',
      '@noble/hashes',
      'bson',
      'jsonc-parser',
      'svelte',
      'three',
      'uplot',
    ],
    tests: ['src/data-service'],
    floors: [
      ['tabs/datasets'],
      ['tabs/files', 'tabs/images', 'tabs/point-clouds'],
      ['shared/stored'],
      ['tabs/outbox', 'tabs/pipelines', 'tabs/sensors', 'tabs/settings', 'shared/bulk', 'shared/code'],
      ['tabs/query', 'annotate', 'shared/filters', 'shared/grid', 'shared/import', 'shared/thumbnails'],
      ['shared/chart', 'shared/host', 'shared/items', 'shared/pipelines'],
      ['context', 'shared/documents'],
    ],
  },
  {
    path: 'src/app',
    values: [
      'src/app/kit',
      'src/app/areas',
      'src/app/bench',
      'src/app/data',
      'ATTRIBUTION.md',
      'docs/clients.md',
      'docs/data-service.md',
      'docs/operations.md',
      'docs/sql.md',
      'docs/terminal.md',
      'docs/tour.md',
    ],
    packages: ['svelte'],
  },
  {
    path: 'src/main.ts',
    values: [
      'src/app',
      'src/app/bench',
      'src/app/captures',
      'src/app/data',
      'src/app/kit',
      'src/data-service/access/local-home.ts',
      'src/platform/browser',
      'src/platform/account-link.ts',
      'src/platform/machine-link.ts',
      'workers/data-service',
      'workers/datasets',
      'workers/fit',
      'workers/model-graph',
      'workers/model-profile',
      'workers/point-cloud',
      'workers/thumbnails',
      'workers/vision/client',
      'workers/vision/entry.ts',
    ],
    packages: ['svelte'],
  },
  {
    path: 'src/server',
    values: ['src/data-service'],
    packages: [
      node,
      protobuf,
      connect,
      '@connectrpc/connect-node',
      'bson',
      'pino',
      'prom-client',
      'selfsigned',
      'sirv',
    ],
    tests: ['src/gen'],
  },
  {
    path: 'src/cli',
    values: [
      'src/config',
      'src/vision',
      'src/models',
      'src/onnx',
      'src/fit',
      'src/fit/modules',
      'src/capture',
      'src/data-service',
      'src/live-machine',
      'src/platform/decode',
      'src/platform/machine-link.ts',
      'src/platform/node',
      'src/server',
      'package.json',
      'public/fonts',
      'dist',
    ],
    packages: [node],
    tests: ['src/gen', protobuf],
  },
  { path: 'bin', values: ['src/cli/main.ts', 'build/cli'], packages: [node, 'node'] },
  { path: 'scripts', values: [everything], packages: [everything] },
  { path: 'tests', values: [everything], packages: [everything] },
  { path: 'bench', values: [everything], packages: [everything] },
  { path: '.', values: ['scripts', 'tests'], packages: [everything] },
];

/** What every test may import besides what its folder may. */
export const forTests: readonly string[] = ['tests', 'vitest', 'fast-check', node];
