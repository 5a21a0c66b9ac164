#!/usr/bin/env node
// Starts the command line. In a checkout it runs the TypeScript sources, which need the Node pinned in devDependencies
// (npx puts it first on the PATH; started by hand on an older Node, the pinned one is called). Installed, it runs the bundle.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const sources = new URL('../src/cli/main.ts', import.meta.url);
const parentMark = 'SIGHTGLASS_ENDS_WITH_PARENT';
if (process.env[parentMark] !== undefined) endWithParent();
const nodeStripsTypes = process.features.typescript === 'strip';

if (!existsSync(sources)) {
  await import('../build/cli/bundle/sightglass.js');
} else if (nodeStripsTypes) {
  await import('../src/cli/main.ts');
} else {
  runWithPinnedNode();
}

function runWithPinnedNode() {
  const require = createRequire(import.meta.url);
  const pinned = require.resolve('node/bin/node');
  // In a process group of its own, so that Ctrl+C reaches it once: through here, like every other signal.
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [parentMark]: '1' },
    detached: process.platform !== 'win32',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', ({ message }) => {
    console.error(`The pinned Node at ${pinned} did not start (${message}). Run "npm ci" first.`);
    process.exitCode = 1;
  });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}

/** The process that started this one may be killed by what it cannot pass on: then the channel between them closes. */
function endWithParent() {
  delete process.env[parentMark];
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
