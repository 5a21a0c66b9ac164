import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { vi } from 'vitest';
import type { Engine, EngineDriver } from './engine-page.ts';

/** WebKitGTK's MiniBrowser by WebDriver, on a screen of its own (Xvfb). */

const driverPath = '/usr/bin/WebKitWebDriver';
const screenPath = '/usr/bin/Xvfb';
const libraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`);
const miniBrowserPath = libraries.find((path) => existsSync(path));

export const hasWebKit = miniBrowserPath !== undefined && existsSync(driverPath) && existsSync(screenPath);

/** WebDriver's codes of the keys that are not a character. */
const keyCodes: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

/** Starts WebKit. `sharedMemory`: with `SharedArrayBuffer`, as in Safari; WebKitGTK has none unless told. */
export async function startWebKit(sharedMemory: boolean): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'sightglass-webkit-'));
  const screen = spawn(screenPath, ['-displayfd', '3', '-screen', '0', '1600x1100x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  endsWithUs(screen);
  const [display] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
  const port = await freePort();
  const driver = spawn(driverPath, [`--port=${port}`], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DISPLAY: `:${display.toString().trim()}`,
      // Without compositing no video frame is presented, and requestVideoFrameCallback never calls.
      WEBKIT_DISABLE_COMPOSITING_MODE: '0',
      ...(sharedMemory && { JSC_useSharedArrayBuffer: '1' }),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  endsWithUs(driver);
  const complaints: string[] = [];
  let rest = '';
  driver.stdout.on('data', (text: Buffer) => {
    const lines = (rest + text.toString()).split('\n');
    rest = lines.pop()!;
    complaints.push(...lines.filter((line) => /^CONSOLE \S+ (ERROR|WARN)/.test(line)));
  });
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${base}/status`), { timeout: 60_000 });
  return {
    newPage: () => newPage(base, complaints),
    async close() {
      await ended(driver);
      await ended(screen);
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const capabilities = {
  capabilities: {
    alwaysMatch: {
      timeouts: { script: 120_000, pageLoad: 120_000 },
      'webkitgtk:browserOptions': {
        binary: miniBrowserPath,
        args: [
          '--automation',
          '--enable-write-console-messages-to-stdout=true',
          '--enable-media-stream=true',
          '--enable-mock-capture-devices=true', // a camera of moving colour bars, granted unasked
        ],
      },
    },
  },
};

interface Session {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
}

async function newPage(base: string, complaints: string[]): Promise<EngineDriver> {
  const { sessionId, capabilities: got } = await call<Session>(base, 'POST', '/session', capabilities);
  const inSession: Ask = (method, path, body) => call(base, method, `/session/${sessionId}${path}`, body);
  await inSession('POST', '/window/rect', { x: 0, y: 0, width: 1440, height: 960 });
  const from = complaints.length;
  const shown = { handle: await inSession<string>('GET', '/window') };
  const said = { version: got.browserVersion, complaints: () => complaints.slice(from) };
  return tab(inSession, shown.handle, shown, said);
}

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>;

/** @param shown the tab that WebDriver acts in, of all of a session */
function tab(
  inSession: Ask,
  handle: string,
  shown: { handle: string },
  said: Pick<EngineDriver, 'version' | 'complaints'>,
): EngineDriver {
  const ask: Ask = async (method, path, body) => {
    if (shown.handle !== handle) await inSession('POST', '/window', { handle });
    shown.handle = handle;
    return inSession(method, path, body);
  };
  const act = (...actions: readonly object[]) => ask<void>('POST', '/actions', { actions });
  return {
    ...said,
    goto: (url) => ask('POST', '/url', { url }),
    reload: () => ask('POST', '/refresh', {}),
    async evaluate(expression) {
      const script = `const done = arguments[0];
        Promise.resolve().then(() => (${expression})).then((value) => done({ value }), (error) => done({ error: String(error) + '\\n' + error?.stack }));`;
      const answer = await ask<{ value?: unknown; error?: string }>('POST', '/execute/async', { script, args: [] });
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value;
    },
    pointer: (steps) =>
      act({
        type: 'pointer',
        id: 'mouse',
        actions: steps.map(({ x, y, does }) => {
          if (does === 'move') return { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 };
          return { type: does === 'press' ? 'pointerDown' : 'pointerUp', button: 0 };
        }),
      }),
    press(key, held = []) {
      const code = (name: string): string => keyCodes[name] ?? name;
      const down = (name: string) => ({ type: 'keyDown', value: code(name) });
      const up = (name: string) => ({ type: 'keyUp', value: code(name) });
      return act({ type: 'key', id: 'keys', actions: [...held.map(down), down(key), up(key), ...held.map(up)] });
    },
    async chooseFiles(selector, paths) {
      const found = await ask<Record<string, string>>('POST', '/element', { using: 'css selector', value: selector });
      const [id] = Object.values(found);
      await ask('POST', `/element/${id}/value`, { text: paths.map((path) => resolve(path)).join('\n') });
    },
    async newTab() {
      // WebDriver shows no other tab of a window, and what is hidden draws nothing.
      const opened = await ask<{ handle: string }>('POST', '/window/new', { type: 'window' });
      return tab(inSession, opened.handle, shown, said);
    },
    close: () => ask('DELETE', ''),
  };
}

async function call<T>(base: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(base + path, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`WebDriver answers to ${method} ${path}: ${value.error} ${value.message}`);
  return value;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => void server.close(closed));
  return port;
}

/** A run that is broken off leaves no process behind. */
function endsWithUs(child: ChildProcess): void {
  process.once('exit', () => child.kill());
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill();
  await exit;
}
