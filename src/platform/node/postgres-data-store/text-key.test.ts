import { describe, expect, it } from 'vitest';
import { isStorable, textKey } from './text-key.ts';

describe('the key of a text', () => {
  it.each(['', 'front', 'ünï', '😀', 'x'.repeat(400)])(
    'is the text itself where PostgreSQL can index it: %s',
    (text) => {
      expect(textKey(text)).toBe(text);
    },
  );

  const odd = ['nul\0', '\ud800', '\udfff', '\ufffd\ud800', 'x'.repeat(401), 'ü'.repeat(201), '\u0001plain'];
  it('is another, short text for each that it cannot', () => {
    const keys = odd.map(textKey);
    expect(new Set(keys).size).toBe(odd.length);
    for (const key of keys) expect([isStorable(key), key.length]).toEqual([true, 65]);
  });

  it('is no text that a client can send itself', () => {
    const key = textKey('nul\0');
    expect(textKey(key)).not.toBe(key);
  });
});
