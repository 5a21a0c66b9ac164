import { afterAll, inject, vi } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sites: number;
    readonly patienceMs: number;
  }
  interface TaskMeta {
    reached?: number[];
  }
}

// Runs before each test file: what `served-text.ts` writes into files calls these.
const nowMs = Date.now.bind(Date); // tests hold the clock
const patienceMs = inject('patienceMs');
const endMs = nowMs() + patienceMs;
let turns = 0;
const reached = new Uint8Array(inject('sites'));

Object.assign(globalThis, {
  __reached: reached,
  __turn() {
    if (++turns % 256 === 0 && nowMs() > endMs) throw new Error('A loop does not come to its end.');
  },
});

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs });
afterAll(({}, suite) => {
  suite.meta.reached = [...reached.keys()].filter((number) => reached[number] === 1);
});
