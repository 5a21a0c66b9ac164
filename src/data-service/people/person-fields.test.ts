import { expect, it } from 'vitest';
import { requireName } from './person-fields.ts';

it.each(['Ada', 'Ada Lovelace-King', 'أحمد', '李', 'می‌خواهم', '👩‍💻', 'O’Brien', '"><script>'])(
  'takes the name %s',
  (name) => expect(requireName(` ${name} `)).toBe(name),
);

it.each([
  ['\u200b', /no character that can be seen/],
  ['\u2060\u00ad', /no character that can be seen/],
  ['Ada\nLovelace', /control characters/],
  ['Ada\u202erenwo', /turn the text around/],
  ['\u2067Ada', /turn the text around/],
  ['Ada\u200bLovelace', /cannot be seen/],
  ['A\ufeffda', /cannot be seen/],
  ['A\u200dda', /cannot be seen/],
  ['\u200cAda', /cannot be seen/],
  ['x'.repeat(201), /201 characters/],
])('refuses %j', (name, words) => expect(() => requireName(name)).toThrow(words));
