import { expect, it } from 'vitest';
import { clockText } from './clock-text.ts';

it.each([
  [0, '0:00.0'],
  [999, '0:00.9'],
  [83_450, '1:23.4'],
  [3_600_000, '60:00.0'],
  [-5, '0:00.0'],
])('%i ms is %s', (ms, text) => expect(clockText(ms)).toBe(text));
