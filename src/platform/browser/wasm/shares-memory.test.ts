import { afterEach, expect, it, vi } from 'vitest';
import { sharesMemory } from './shares-memory.ts';
import { wasmThreads } from './wasm-threads.ts';

afterEach(() => vi.unstubAllGlobals());

it.each([
  ['Chromium, isolated', true, SharedArrayBuffer, true],
  ['WebKitGTK, isolated', true, undefined, false],
  ['a plain host', false, SharedArrayBuffer, false],
  ['a plain host in WebKit', false, undefined, false],
])('%s', (_, isIsolated, buffer, expected) => {
  vi.stubGlobal('crossOriginIsolated', isIsolated);
  vi.stubGlobal('SharedArrayBuffer', buffer);
  vi.stubGlobal('navigator', { hardwareConcurrency: 8 });
  expect(sharesMemory()).toBe(expected);
  expect(wasmThreads()).toBe(expected ? 4 : 1);
});
