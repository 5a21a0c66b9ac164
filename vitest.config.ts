import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumPath, chromiumTestFlags, compileOnceFlags, fakeCameraFlags, quietFlags } from './scripts/chromium.ts';
import MeasuredSequencer from './scripts/measured-sequencer.ts';
import { isolationHeaders, optimizeDeps } from './scripts/vite-settings.ts';
import { browserCommands } from './tests/clients/browser-commands.ts';

// Of the command line and the server, which tests start a hundred times, Node compiles the sources once: a start takes a third less.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'build/cache/node');
// A server that tests start looks for pipelines that are due ten times as often: each test of one waited for some seconds.
process.env['SIGHTGLASS_TICK_MS'] ??= '500';

/** The command line that tests start a hundred times: bundled once, each start takes half the processor time. */
const testedCli = {
  globalSetup: './tests/bundle-cli.ts',
  env: { SIGHTGLASS_TESTED_CLI: join(import.meta.dirname, 'build/tested-cli/bundle/sightglass.js') },
};

/** No test is about speed: on a busy machine all may take their time. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };

/** Tests of what WebGPU, or the import of video frames into it, does. */
const onGpu = [
  'captured-models',
  'fitted-models',
  'footage-frames',
  'frame-sources',
  'gpu-*',
  'keep-frames',
  'onnxruntime',
  'vision-client',
  'yuv-reader',
].join('|');
const chromiumWith = (flags: readonly string[]) =>
  playwright({
    launchOptions: { executablePath: chromiumPath(), args: [...flags, ...compileOnceFlags, ...fakeCameraFlags] },
  });

export default defineConfig({
  test: {
    // All cores; unless told, Vitest leaves one free, which on two is half of them.
    maxWorkers: '100%',
    sequence: { sequencer: MeasuredSequencer },
    reporters: ['./scripts/progress-reporter.ts', ...(process.env['GITHUB_ACTIONS'] ? ['github-actions'] : [])],
    projects: [
      {
        plugins: [svelte()],
        test: {
          name: 'unit',
          environment: 'node',
          ...patience,
          // Test files share the modules of their worker: a third of the time was loading them again for each file.
          // A file that replaces a module resets them before and after (`vi.resetModules`), and none leaves a global changed.
          isolate: false,
          include: ['{src,scripts,workers}/**/*.test.ts', 'tests/{contract,oracle}/**/*.test.ts'],
        },
      },
      {
        plugins: [svelte()],
        worker: { format: 'es' },
        // Found late, a dependency makes Vite reload the page under a running test.
        optimizeDeps: {
          ...optimizeDeps,
          include: [
            ...(optimizeDeps.include ?? []),
            '@bufbuild/protobuf/wire',
            '@connectrpc/connect-web',
            '@dagrejs/dagre',
            '@noble/hashes/utils.js',
            '@viamrobotics/sdk',
            '@zip.js/zip.js/lib/zip-core-native.js',
            'axe-core',
            'fast-check',
            'saxes',
            'yaml',
          ],
        },
        server: { headers: isolationHeaders },
        test: {
          name: 'browser',
          ...patience,
          include: ['tests/browser/**/*.test.ts'],
          // Each file has a page of its own, in a context of its own: storage, pointer and focus are not shared, and the fake camera serves all.
          sequence: { groupOrder: 1 },
          maxWorkers: 2, // on machines of more cores, too: more than three at a time were never tried
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: browserCommands,
            // Pages that a software GPU draws take twice the processor time: the tests of the box editor 36 s, without it 16.
            instances: [
              {
                browser: 'chromium',
                include: [`tests/browser/!(${onGpu}).test.ts`],
                provider: chromiumWith(quietFlags),
              },
              {
                browser: 'chromium',
                name: 'browser (GPU)',
                include: [`tests/browser/@(${onGpu}).test.ts`],
                provider: chromiumWith(chromiumTestFlags),
              },
            ],
          },
        },
      },
      {
        test: {
          name: 'server',
          environment: 'node',
          // Two a core take a quarter less time: half of it each waits for a server to start, to write and to end.
          maxWorkers: 2 * availableParallelism(),
          sequence: { groupOrder: 2 },
          include: ['tests/server/**/*.test.ts'],
          ...testedCli,
          ...patience,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          ...testedCli,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
          maxWorkers: 2, // each waits for a part of its time; three take as long
          isolate: false, // they share the served app, a browser and the scripts that are built for pages
          expect: { poll: { timeout: 30_000, interval: 50 } },
        },
      },
      {
        test: {
          name: 'engines',
          environment: 'node',
          include: ['tests/engines/**/*.test.ts'],
          // On a busy machine WebKit compiles the model's runtime for a minute.
          testTimeout: 400_000,
          hookTimeout: 400_000,
          // Two at a time take half the time: each waits for frames, clicks and files as long as it computes.
          expect: { poll: { timeout: 180_000, interval: 250 } },
        },
      },
    ],
  },
});
