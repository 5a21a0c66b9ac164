import { expect, it } from 'vitest';
import { clockText } from './clock-text.ts';

it.each([
  [0, '0:00.00'],
  [999, '0:00.99'],
  [83_450, '1:23.45'],
  [3_600_000, '60:00.00'],
  [-5, '0:00.00'],
])('%i ms is %s', (ms, text) => expect(clockText(ms)).toBe(text));
