import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { vi } from 'vitest';
import { complaintsOfPage } from './complaints.ts';
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

/**
 * Scrollbars that stand: WebKitGTK fades those that lie over a page, for which it draws the whole window 60 times a second, three
 * seconds long. Without a graphics card that took a third of the processor time until the first boxes. Safari has none of that.
 */
const settings = '[Settings]\ngtk-overlay-scrolling=0\n';

/** Starts WebKit. `sharedMemory`: with `SharedArrayBuffer`, as in Safari; WebKitGTK has none unless told. */
export async function startWebKit(sharedMemory: boolean): Promise<Engine> {
  const home = mkdtempSync(join(tmpdir(), 'sightglass-webkit-'));
  mkdirSync(join(home, '.config/gtk-3.0'), { recursive: true });
  writeFileSync(join(home, '.config/gtk-3.0/settings.ini'), settings);
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
    stdio: 'ignore',
  });
  endsWithUs(driver);
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${base}/status`), { timeout: 60_000 });
  return {
    newPage: () => newPage(base),
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
          '--enable-media-stream=true',
          '--enable-mock-capture-devices=true', // a camera of moving colour bars, granted unasked
        ],
      },
    },
  },
};

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
  /** the page was loaded since the call before */
  readonly isNew: boolean;
  readonly complaints: readonly string[];
}

interface Session {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
}

async function newPage(base: string): Promise<EngineDriver> {
  const { sessionId, capabilities: got } = await call<Session>(base, 'POST', '/session', capabilities);
  const inSession: Ask = (method, path, body) => call(base, method, `/session/${sessionId}${path}`, body);
  await inSession('POST', '/window/rect', { x: 0, y: 0, width: 1440, height: 960 });
  const handle = await inSession<string>('GET', '/window');
  return tab({ inSession, shown: handle, version: got.browserVersion, complaints: [] }, handle);
}

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>;

/** The error of a module that was still being fetched when its page was left, or loaded itself anew: nobody needs it any more. */
const importFailed = 'Importing a module script failed';

interface Window {
  readonly inSession: Ask;
  /** the tab that WebDriver acts in */
  shown: string;
  readonly version: string;
  /** complaints of all tabs */
  readonly complaints: string[];
}

function tab(window: Window, handle: string): EngineDriver {
  const { inSession, version, complaints } = window;
  const ask: Ask = async (method, path, body) => {
    if (window.shown !== handle) await inSession('POST', '/window', { handle });
    window.shown = handle;
    return inSession(method, path, body);
  };
  const act = (...actions: readonly object[]) => ask<void>('POST', '/actions', { actions });
  // WebDriver tells of no console, and of a private session, the only one that it gives, WebKit prints none either.
  // So each call into the page asks for its complaints, too. What it says while it loads, and what its workers say, is not heard.
  const failedImports: string[] = [];
  const evaluate: EngineDriver['evaluate'] = async (expression) => {
    const script = `const done = arguments[0], complaints = ${String(complaintsOfPage)};
      const isNew = window.complaintsOfTest === undefined, earlier = complaints();
      Promise.resolve().then(() => (${expression})).then((value) => ({ value }), (error) => ({ error: String(error) + '\\n' + error?.stack }))
        .then((answer) => done({ ...answer, isNew, complaints: [...earlier, ...complaints()] }));`;
    const answer = await ask<Answer>('POST', '/execute/async', { script, args: [] });
    if (answer.isNew) failedImports.length = 0;
    for (const said of answer.complaints) (said.includes(importFailed) ? failedImports : complaints).push(said);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  };
  const hear = async () => void (await evaluate('null'));
  return {
    version,
    complaints: () => [...complaints, ...failedImports],
    evaluate,
    async goto(url) {
      await ask('POST', '/url', { url });
      await hear();
    },
    async reload() {
      await hear();
      await ask('POST', '/refresh', {});
      await hear();
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
      return tab(window, opened.handle);
    },
    async close() {
      await hear();
      await ask('DELETE', '');
    },
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
