import { expect, it } from 'vitest';
import { errorCode, errorMessage } from './error-message.ts';

it('says what was thrown, be it an error or not', () => {
  expect(errorMessage(new TypeError('no shape'))).toBe('no shape');
  expect(errorMessage('a text')).toBe('a text');
  expect(errorMessage(undefined)).toBe('undefined');
});

it('takes the code of an error alone, and only a text', () => {
  expect(errorCode(Object.assign(new Error('gone'), { code: 'lost' }), 'other')).toBe('lost');
  expect(errorCode(Object.assign(new Error('gone'), { code: 7 }), 'other')).toBe('other');
  expect(errorCode({ code: 'lost' }, 'other')).toBe('other');
  expect(errorCode(new Error('gone'))).toBe('');
});
