import { expect, it } from 'vitest';
import { runtimeErrorOf } from './litert-error.ts';

it.each([
  ['memory access out of bounds', 'runtime', /^The runtime broke off.*\(LiteRT: memory access out of bounds\)$/],
  ['Aborted(native code called abort())', 'runtime', /^The runtime broke off/],
  ['std::bad_alloc', 'out-of-memory', /^There is not enough memory/],
  ['something else', 'runtime', /^The model failed on this frame/],
])('says what happened where the runtime says only %j', (text, code, words) => {
  expect(runtimeErrorOf(new Error(text), [], 'run')).toMatchObject({ code, message: expect.stringMatching(words) });
});
