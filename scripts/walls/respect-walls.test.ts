import { globSync, readFileSync } from 'node:fs';
import { ESLint, Linter } from 'eslint';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import { exceptions } from './lint-exceptions.ts';
import { everything, rooms, type Room } from './import-walls.ts';
import { respectWalls } from './respect-walls.ts';

const parser = ts.parser as Linter.Parser;
const config: Linter.Config[] = [
  ...svelte.configs.base,
  { files: ['**/*.{ts,js}'], languageOptions: { parser } },
  { files: ['**/*.svelte'], languageOptions: { parserOptions: { parser } } },
  {
    files: ['**/*.{ts,js,svelte}'],
    plugins: { walls: { rules: { 'respect-walls': respectWalls } } },
    rules: { 'walls/respect-walls': 'error' },
  },
];
const linter = new Linter();

function refusals(path: string, text: string): string[] {
  return linter.verify(text, config, path).map(({ message }) => message);
}

function fileIn({ path }: Room): string {
  if (path === '.') return 'a.ts';
  return path.endsWith('.ts') ? path : `${path}/a.ts`;
}

describe('what is refused', () => {
  it.each([
    ['src/machine/vision/a.ts', "import '../../server/log.ts';"],
    ['src/machine/vision/decode/a.ts', "import '../../../remote/outbox/outbox.ts';"],
    ['src/machine/vision/a.ts', "import '../../data-service/ports/dependencies.ts';"],
    ['src/machine/vision/a.ts', "import '../../platform/kernel/wasm-kernel.ts';"],
    ['src/machine/vision/a.ts', "import '../../platform/ports/frame-source.ts';"],
    ['src/machine/vision/a.ts', "import { parse } from '../config/parse-machine-config.ts';"],
    ['src/machine/config/a.ts', "import { crop } from '../vision/transforms/crop.ts';"],
    ['src/machine/config/a.ts', "import type { Capture } from '../../evidence/capture/capture.ts';"],
    ['src/models/onnx/a.ts', "import '../../machine/config/share-config.ts';"],
    ['src/evidence/datasets/a.ts', "import type { Frame } from '../../machine/vision/frame/frame.ts';"],
    ['src/evidence/capture/a.ts', "import { traceToSource } from '../../machine/vision/trace/trace.ts';"],
    ['src/evidence/capture/a.ts', "import '../../machine/config/parse-machine-config.ts';"],
    ['src/evidence/capture/a.ts', "import '../../remote/outbox/outbox.ts';"],
    ['src/remote/outbox/a.ts', "import { toTimestamp } from '../../data-service/wire/timestamps.ts';"],
    ['src/remote/outbox/a.ts', "import { CaptureRecorder } from '../../evidence/capture/capture-recorder.ts';"],
    ['src/platform/ports/a.ts', "import type { Bench } from '../../app/bench.svelte.ts';"],
    ['src/data-service/a.ts', "import '../platform/node/file-blob-store.ts';"],
    ['src/data-service/uploads/a.ts', "import '../../platform/data-store/capture-marks.ts';"],
    ['src/data-service/a.ts', "import '../server/log.ts';"],
    ['src/data-service/a.ts', "import '../../workers/data-service/entry.ts';"],
    ['src/data-service/a.ts', "import 'node:fs';"],
    ['src/data-service/a.ts', "import 'fs/promises';"],
    ['src/data-service/a.ts', "import 'node:sqlite';"],
    ['src/data-service/a.ts', "import 'idb';"],
    ['src/data-service/a.ts', "import '@connectrpc/connect-node';"],
    ['src/platform/kernel/a.ts', "import '../browser/wasm/wasm-threads.ts';"],
    ['src/platform/node/a.ts', "import '../browser/bytes/sha256.ts';"],
    ['src/platform/browser/media/a.ts', "import '../../node/frame-file.ts';"],
    ['src/platform/browser/media/a.ts', "import type { Bench } from '../../../app/bench/bench.svelte.ts';"],
    ['src/platform/browser/media/a.ts', "import '../../../../workers/vision/protocol.ts';"],
    ['src/platform/browser/files/a.ts', "import 'node:path';"],
    ['src/platform/browser/outbox/a.ts', "import 'comlink';"],
    ['src/platform/browser/indexed-db/a.ts', "import 'idb'; import '@noble/hashes/sha2.js';"],
    ['src/platform/browser/indexed-db/a.ts', "import 'three';"],
    ['src/platform/browser/media/a.ts', "import 'idb';"],
    ['src/platform/browser/media/a.ts', "import '../indexed-db/idb-model-store.ts';"],
    ['src/platform/browser/a.ts', "import './media/camera.ts';"],
    ['src/platform/inference/a.ts', "import '../../remote/live-machine/link-machine.ts';"],
    ['src/remote/links/a.ts', "import '../../platform/browser/bytes/sha256.ts';"],
    ['src/base/schedule/a.ts', "import '../../app/kit/words/figures.ts';"],
    ['workers/boundary/a.ts', "import '../vision/protocol.ts';"],
    ['workers/vision/a.ts', "import '../../src/app/bench/bench.svelte.ts';"],
    ['workers/vision/engine/a.ts', "import '../../../src/platform/browser/bytes/sha256.ts';"],
    ['workers/vision/engine/a.ts', "import 'comlink';"],
    ['workers/vision/client/a.ts', "import '../engine/vision-engine.ts';"],
    ['workers/thumbnails/a.ts', "import '../vision/client/burst.ts';"],
    ['workers/service-worker/a.ts', "import '../../src/server/http/log.ts';"],
    ['src/server/a.ts', "import '../app/data/data-context.ts';"],
    ['src/server/mongo/a.ts', "import '../../cli/usage.ts';"],
    ['src/server/a.ts', "import 'svelte';"],
    ['src/server/a.ts', "import '../../tests/data-service-fixture.ts';"],
    ['src/cli/a.ts', "import '../platform/browser/files/config-file.ts';"],
    ['src/app/bench/a.ts', "import '../../server/log.ts';"],
    ['src/app/bench/a.ts', "import '../../platform/browser/data-service/browser-clock.ts';"],
    ['src/app/bench/a.ts', "import '../../../workers/vision/engine/vision-engine.ts';"],
    ['src/app/bench/a.ts', "import '../../../workers/vision/api.ts';"],
    ['src/app/a.ts', "import { createDataClient } from '../../workers/data-service/client.ts';"],
    ['src/app/bench/a.ts', "import '../../data-service/query/query-rows.ts';"],
    ['src/app/bench/a.ts', "import '../../models/onnx/read-model.ts';"],
    ['src/app/a.ts', "import 'onnxruntime-web';"],
    ['src/app/a.ts', "import 'idb';"],
    ['src/app/a.ts', "import 'comlink';"],
    ['src/app/A.svelte', '<script lang="ts">import \'../server/log.ts\';</script>'],
    ['src/app/kit/controls/a.ts', "import type { Bench } from '../../bench/bench.svelte.ts';"],
    ['src/app/kit/layout/a.ts', "import '../../../machine/config/run-key.ts';"],
    ['src/app/kit/lists/a.ts', "import '../picture/stage-viewport.svelte.ts';"],
    ['src/app/kit/controls/a.ts', "import '../layout/Dialog.svelte';"],
    ['src/app/bench/models/a.ts', "import type { FitState } from '../fit/fit-state.svelte.ts';"],
    ['src/app/bench/fit/a.ts', "import type { SolverState } from '../solver/solver-state.svelte.ts';"],
    ['src/app/bench/fit/a.ts', "import '../profile/ms-text.ts';"],
    ['src/app/bench/stage/a.ts', "import type { Bench } from '../bench.svelte.ts';"],
    ['src/app/bench/new-folder/a.ts', "import '../config/config-state.svelte.ts';"],
    ['src/app/data/tabs/outbox/a.ts', "import '../images/ImageView.svelte';"],
    ['src/app/captures/a.ts', "import '../bench/capture/bench-captures.svelte.ts';"],
    ['src/app/bench/a.ts', "import '../data/data-context.ts';"],
    [
      'src/app/bench/A.svelte',
      '<script lang="ts">import type { DataContext } from \'../data/data-context.ts\';</script>',
    ],
    ['src/app/data/a.ts', "import type { Bench } from '../bench/bench.svelte.ts';"],
    ['src/app/data/tabs/images/a.ts', "import '../../../bench/stage/Stage.svelte';"],
    ['src/main.ts', "import '../workers/vision/engine/vision-engine.ts';"],
  ])('%s: %s', (path, text) => {
    expect(refusals(path, text)).toEqual([expect.stringMatching(/import/)]);
  });

  it.each([
    "export * from '../server/log.ts';",
    "export { log } from '../server/log.ts';",
    "export type { Log } from '../server/log.ts';",
    "const log = import('../server/log.ts');",
    'const log = import(`../server/log.ts`);',
    "let log: import('../server/log.ts').Log;",
    "let log: typeof import('../server/log.ts');",
    "import log = require('../server/log.ts');",
    "const log = require('../server/log.ts');",
    "new Worker(new URL('../server/log.ts', import.meta.url));",
    "const log = new URL('../../package.json', import.meta.url);",
    "import log from '../server/log.ts?url';",
    "import log from '../vision/../server/log.ts';",
    'const log = import(path);',
    'const log = new URL(path, import.meta.url);',
    "const all = import.meta.glob('../server/*.ts');",
    "const all = import.meta.glob('../server/*.wgsl');",
    "const all = import.meta.glob('./*.ts');",
    "const log = import.meta.resolve('../server/log.ts');",
    "const fs = process.getBuiltinModule('fs');",
    "const { resolve } = import.meta; resolve('../server/log.ts');",
    "const meta = import.meta; meta.resolve('../server/log.ts');",
    "const log = import.meta['resolve']('../server/log.ts');",
  ])('in whatever way it is written: %s', (text) => {
    expect(refusals('src/machine/vision/a.ts', text)).toHaveLength(1);
  });

  it.each([
    "import { createRequire as load } from 'node:module';",
    "import * as module from 'node:module'; const require = module.createRequire(import.meta.url);",
    "import { createRequire } from 'node:module'; const load = createRequire(import.meta.url);",
    "import { createRequire } from 'node:module'; createRequire(import.meta.url)('left-pad');",
    "import { createRequire } from 'node:module'; const load = createRequire;",
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); require('left-pad');",
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); require.resolve('left-pad');",
  ])('what createRequire gives, unless it is called `require` and asked for what is open: %s', (text) => {
    expect(refusals('src/server/a.ts', text)).toHaveLength(1);
  });

  it.each([
    ['src/server/a.ts', "import './test-server.ts';"],
    ['src/server/a.ts', "import type { Server } from './test-server.ts';"],
    ['src/server/a.ts', "export { log } from './log.test.ts';"],
    ['src/app/a.ts', "import './bench.svelte.test.ts';"],
    ['src/cli/a.ts', "import '../server/test-server.ts';"],
    ['src/app/A.svelte', '<script lang="ts">import \'./bench.svelte.test.ts\';</script>'],
  ])('a test of an open folder, by what ships: %s: %s', (path, text) => {
    expect(refusals(path, text)).toEqual([expect.stringMatching(/only tests may import it/)]);
  });

  it('also as a mock', () => {
    expect(refusals('src/machine/vision/a.test.ts', "vi.mock('../../server/log.ts');")).toHaveLength(1);
  });

  it('a value where only types are open, however it is written', () => {
    const refused = [
      'src/machine/vision may import only types from src/machine/config (scripts/walls/import-walls.ts).',
    ];
    expect(refusals('src/machine/vision/a.ts', "import { type A } from '../config/face/a.ts';")).toEqual(refused);
    expect(refusals('src/machine/vision/a.ts', "import type { A } from '../config/face/a.ts';")).toEqual([]);
    expect(refusals('src/machine/vision/a.ts', "export { type A } from '../config/face/a.ts';")).toEqual(refused);
    expect(refusals('src/machine/vision/a.ts', "export type * from '../config/face/a.ts';")).toEqual([]);
  });

  it.each([
    [
      'src/app/bench/a.ts',
      "import type { Frame } from '../../machine/vision/frame/frame.ts';",
      'vision/face, or pass it on',
    ],
    ['src/app/bench/a.ts', "import '../../machine/vision/pipeline.ts';", 'lies behind the face'],
    ['src/machine/vision/a.ts', "import './face/frames.ts';", 'is for other rooms'],
    ['src/machine/vision/frame/a.ts', "import type { A } from '../face/frames.ts';", 'is for other rooms'],
    ['src/machine/config/a.ts', "import '../vision/face/frames.ts';", 'only types'],
    [
      'src/machine/config/a.test.ts',
      "import '../vision/frame/frame.ts'; import '../../app/a.ts';",
      'may not import src/app',
    ],
  ])('what lies behind a face, or a face that the row does not name: %s: %s', (path, text, why) => {
    expect(refusals(path, text)).toEqual([expect.stringContaining(why)]);
  });

  it.each(['src/recipes/a.ts', 'src/a.ts', 'workers/recipes/entry.ts', 'recipes/a.ts'])(
    'a file whose folder is in no row: %s',
    (path) => {
      expect(refusals(path, '')).toEqual([expect.stringContaining('name the folder there')]);
    },
  );

  it('a folder that is in no row', () => {
    expect(refusals('src/app/a.ts', "import type { A } from '../recipes/a.ts';")).toHaveLength(1);
  });

  const closed = rooms.filter(({ values = [] }) => !values.includes(everything));
  const isOpen = (paths: readonly string[] = [], { path }: Room): boolean =>
    paths.some((open) => open === path || open.startsWith(`${path}/`));
  /** A line for each, of which all must be refused. */
  const eachRefused = (from: Room, to: readonly Room[], write: (specifier: string) => string): void => {
    const path = fileIn(from);
    const lines = to.map((room) => write('../'.repeat(path.split('/').length - 1) + fileIn(room)));
    const refused = new Set(linter.verify(lines.join('\n'), config, path).map(({ line }) => lines[line - 1]));
    expect(lines.filter((line) => !refused.has(line))).toEqual([]);
  };

  it.each(closed)('from $path: types and values of each folder that its row does not open', (from) => {
    const shut = rooms.filter((to) => to !== from && !isOpen([...(from.values ?? []), ...(from.types ?? [])], to));
    expect(shut.length).toBeGreaterThan(10);
    eachRefused(from, shut, (specifier) => `import type { A } from './${specifier}';`);
    eachRefused(from, shut, (specifier) => `import './${specifier}';`);
  });

  it.each(closed.filter(({ types = [] }) => types.length > 0))(
    'from $path: values of what is open to types',
    (from) => {
      const half = rooms.filter((to) => from.types!.includes(to.path) && !isOpen(from.values, to));
      eachRefused(from, half, (specifier) => `import './${specifier}';`);
    },
  );

  it.each(closed.filter(({ path }) => path !== '.'))('from $path: a package that is in no row', (from) => {
    expect(refusals(fileIn(from), "import 'left-pad';")).toHaveLength(1);
  });
});

describe('what is allowed', () => {
  it.each([
    ['src/machine/vision/a.ts', "import './decode/a.ts';"],
    ['src/machine/vision/a.ts', "import type { A } from '../config/face/a.ts';"],
    [
      'src/machine/vision/a.test.ts',
      "import '../config/a.ts'; import 'vitest'; import '../../../tests/a.ts'; import 'node:fs';",
    ],
    ['src/machine/vision/a.test.ts', "new URL('../../../public/sample.jpg', import.meta.url);"],
    ['src/machine/config/a.ts', "import '../vision/face/colors.ts';"],
    ['src/machine/config/a.test.ts', "import '../vision/color-detector/color-rule.ts';"],
    ['src/machine/config/face/a.ts', "export { a } from '../lint/a.ts';"],
    ['src/machine/vision/face/a.ts', "export { a } from '../frame/a.ts'; export { b } from '../pipeline.ts';"],
    ['tests/a.test.ts', "import '../src/machine/vision/frame/frame.ts';"],
    ['library/a.ts', "export { a } from '../src/machine/vision/frame/frame.ts';"],
    ['src/data-service/a.ts', "import 'bson';"],
    ['src/data-service/a.ts', "import './ports/clock.ts';"],
    ['src/data-service/a.ts', "import '../gen/app/data/v1/data_pb.ts';"],
    ['src/evidence/capture/a.ts', "import { withoutSecrets } from '../../machine/config/face/edits.ts';"],
    ['src/platform/browser/wasm/a.ts', "import kernel from '../../../../build/pixels.wasm?url';"],
    ['src/platform/browser/indexed-db/a.ts', "import 'idb'; import 'idb/with.js';"],
    ['src/app/data/a.ts', "import type { DataClient } from '../../../workers/data-service/client.ts';"],
    ['src/app/bench/a.ts', "import '@codemirror/state';"],
    ['src/app/bench/fit/a.ts', "import '../models/models-state.svelte.ts';"],
    ['src/app/bench/capture/bench-file/a.ts', "import '../capture-loader.svelte.ts';"],
    ['src/app/bench/models/a.test.ts', "import '../fit/fit-state.svelte.ts';"],
    ['src/app/A.svelte', '<script lang="ts">import { onMount } from \'svelte\';</script>'],
    ['src/main.ts', "new URL('../workers/vision/entry.ts', import.meta.url);"],
    ['src/main.ts', "new URL('https://example.com', import.meta.url); new URL('a.ts', location.href);"],
    ['src/server/a.ts', "import 'node:fs';"],
    ['src/server/test-server.ts', "import '../../tests/data-service-fixture.ts';"],
    ['src/server/a.test.ts', "import './test-server.ts';"],
    ['src/server/test-a.ts', "import './test-server.ts';"],
    ['src/platform/node/a.ts', "const require = createRequire(import.meta.url); require.resolve('onnxruntime-web');"],
    ['tests/server/a.test.ts', "import '../../src/server/http/log.ts'; import 'mongodb'; import(path);"],
  ])('%s: %s', (path, text) => {
    expect(refusals(path, text)).toEqual([]);
  });
});

it("lets a file read its own folder's shaders, which import nothing", () => {
  expect(
    refusals('src/platform/browser/webgpu/a.ts', "const all = import.meta.glob('./*.wgsl', { eager: true });"),
  ).toEqual([]);
});

it.each([
  ['src/data-service/a.ts', "globalThis.fetch('/a');"],
  ['src/remote/outbox/a.ts', 'globalThis.crypto.randomUUID();'],
  ['src/evidence/capture/a.ts', "globalThis['navigator'].onLine;"],
  ['src/models/fit/a.ts', 'const { indexedDB } = globalThis;'],
  ['src/remote/account/a.ts', "fetch('/a');"],
  ['src/models/a.ts', "fetch('/a');"],
  ['src/base/schedule/a.ts', 'globalThis.navigator.onLine;'],
])('refuses in a pure folder what only some hosts have, by its global name too: %s: %s', async (path, text) => {
  expect(await messagesOf(path, text)).toContainEqual(expect.stringMatching(/restricted|Unexpected use/));
});

it.each([
  ["const host = globalThis; host.fetch('/a');", 1],
  ['(globalThis as { fetch?: () => void }).fetch?.();', 1],
  ["Reflect.get(globalThis, 'fetch');", 1],
  ['globalThis[name];', 1],
  ['let fetch: typeof globalThis.fetch;', 0],
  ['globalThis.performance.now();', 0],
])('refuses in a pure folder a global object that is handed on: %s', async (text, count) => {
  expect(await messagesOf('src/remote/outbox/a.ts', text)).toHaveLength(count);
});

it.each([
  ['src/app/evaluate/a.ts', "localStorage.getItem('bench-config');", 1],
  ['src/app/evaluate/a.ts', "window.localStorage['bench-config'];", 1],
  ['src/app/evaluate/a.ts', 'openMemory(() => localStorage);', 0],
  ['src/app/bench/a.ts', "window['bench'] = bench;", 1],
  ['src/app/bench/a.ts', 'window.location;', 0],
  ['src/app/data/a.ts', "import { getContext } from 'svelte';", 1],
  ['src/app/data/a.ts', "import { onMount } from 'svelte';", 0],
  ['src/main.ts', "new Worker('/workers/vision/entry.ts');", 1],
  ['workers/vision/entry.ts', 'new SharedWorker(`/workers/${name}.ts`);', 1],
  ['src/main.ts', "new Worker(new URL('../workers/vision/entry.ts', import.meta.url));", 0],
  ['src/remote/outbox/a.ts', "new Function('return fetch')();", 1],
  ['src/remote/outbox/a.ts', "Function('return fetch')();", 1],
  ['src/remote/outbox/a.ts', "setTimeout('fetch(1)', 1);", 1],
])('lets rooms talk only by what the table names: %s: %s', async (path, text, count) => {
  expect(await messagesOf(path, text)).toHaveLength(count);
});

it('lets no style reach into another room', () => {
  const styles = globSync('src/app/**/*.{svelte,css}').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  expect(styles.filter(({ text }) => text.includes('@import')).map(({ path }) => path)).toEqual([]);
  const isOfKit = (path: string): boolean => /^src\/app\/(kit\/|theme\.css$)/.test(path);
  const kit = styles.filter(({ path }) => isOfKit(path));
  const reach = /:global\([^)]*?\.([\w-]+)/g;
  const own = new Set(kit.flatMap(({ text }) => text.replaceAll(reach, '').match(/[\w-]+/g) ?? []));
  const foreign = kit.flatMap(({ path, text }) =>
    [...text.matchAll(reach)].filter(([, name]) => !own.has(name!)).map(([written]) => `${path} ${written}`),
  );
  expect(foreign).toEqual([]);
});

it.each(['src/machine/vision/a.ts', 'src/app/A.svelte', 'tests/a.ts'])(
  'lets no comment in %s switch a rule off',
  async (path) => {
    const { linterOptions } = (await new ESLint().calculateConfigForFile(path)) as Linter.Config;
    expect(linterOptions?.noInlineConfig).toBe(true);
  },
);

it('lets no comment in the markup of a component switch a rule off', async () => {
  const text = "<!-- eslint-disable -->\n{#await import('../../../bench/bench.svelte.ts')}{/await}\n";
  const [found] = await new ESLint().lintText(text, { filePath: 'src/app/kit/controls/A.svelte' });
  expect(found?.messages.map(({ ruleId }) => ruleId)).toEqual(['walls/respect-walls']);
});

/** The exceptions from lint stand in eslint.config.js alone, with their reasons; a new one changes this number. */
it('has seven exceptions from its rules', () => {
  expect(exceptions.map(({ files }) => files.length)).toEqual([1, 10, 2, 1, 1, 1]);
});

it.each([
  'src/app/A.svelte',
  'src/app/a.svelte.ts',
  'workers/new/entry.ts',
  'src/machine/vision/a.test.ts',
  'bin/sightglass.js',
])('is on for %s', async (path) => {
  const { rules } = (await new ESLint().calculateConfigForFile(path)) as Linter.Config;
  expect(rules?.['walls/respect-walls']).toEqual([2]);
});

/** What the rules about globals say of a text. */
async function messagesOf(path: string, text: string): Promise<string[]> {
  const { rules = {} } = (await new ESLint().calculateConfigForFile(path)) as Linter.Config;
  const names = [
    'no-restricted-globals',
    'no-restricted-properties',
    'no-restricted-syntax',
    'no-new-func',
    'no-implied-eval',
  ];
  const asked = Object.fromEntries(names.map((name) => [name, rules[name] ?? 'off']));
  return linter
    .verify(text, { languageOptions: { parser, globals: globals.browser }, rules: asked })
    .map(({ message }) => message);
}
