import fc from 'fast-check';
import { Inflate } from 'fflate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sampleConfigText } from './sample-config.ts';
import { decodeShare, shareConfig } from './share-config.ts';

describe('shareConfig and decodeShare', () => {
  it('give the same text back, in characters that an address may hold', () => {
    const encoded = shareConfig(sampleConfigText).encoded;
    expect(encoded).toMatch(/^1\.[\w-]+$/);
    expect(encoded.length).toBeLessThan(sampleConfigText.length / 2);
    expect(decodeShare(encoded)).toBe(sampleConfigText);
  });

  it('stand any JSON, whatever its characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const text = JSON.stringify(texts.map((item) => item.replaceAll('@', '')));
        expect(decodeShare(shareConfig(text).encoded)).toBe(text);
      }),
      { seed: 20261121 },
    );
  });

  it.each([
    ['another version', '2.abc', 'unknown-version'],
    ['nothing', '', 'unknown-version'],
    ['a link cut off', shareConfig(sampleConfigText).encoded.slice(0, 60), 'damaged'],
    ['characters of no link', '1.%%%', 'damaged'],
    ['a text over 4 MiB', shareConfig(`"${'x'.repeat(4 * 1024 * 1024)}"`).encoded, 'too-large'],
  ])('refuse %s', (_, encoded, code) => {
    expect(() => decodeShare(encoded)).toThrow(expect.objectContaining({ name: 'ShareError', code }));
  });
});

it('reads a text of just 4 MiB', () => {
  const text = `"${'x'.repeat(4 * 1024 * 1024 - 2)}"`;
  expect(decodeShare(shareConfig(text).encoded)).toBe(text);
});

it('unpacks no more of a bomb than a configuration may be long', () => {
  const push = vi.spyOn(Inflate.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  const bomb = shareConfig(`"${'x'.repeat(64 * 1024 * 1024)}"`).encoded;
  expect(() => decodeShare(bomb)).toThrow(expect.objectContaining({ code: 'too-large' }));
  expect(push.mock.calls.length).toBeLessThanOrEqual(6); // the text has 64 pieces
});

it('leaves out secrets, and counts them', () => {
  const { encoded, secretsRemoved } = shareConfig('{"a":{"secret":"x"},"token":"y"}');
  expect([decodeShare(encoded), secretsRemoved]).toEqual(['{"a":{"secret":""},"token":""}', 2]);
});
