import { expect, it } from 'vitest';
import { withoutRuntimeText } from './runtime-text.ts';

it.each([
  ['It broke off. (LiteRT: out of (bounds))', 'It broke off.', 'LiteRT: out of (bounds)'],
  ['There are 3 (three) of them.', 'There are 3 (three) of them.', ''],
])('takes apart %j', (message, words, detail) => {
  expect(withoutRuntimeText(message)).toEqual({ message: words, detail });
});
