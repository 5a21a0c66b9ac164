import fc from 'fast-check';
import { Inflate } from 'fflate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sampleConfigText } from './sample-config.ts';
import { decodeShare, shareConfig, ShareError, withoutSecrets } from './share-config.ts';

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
  expect(push.mock.calls.length).toBeLessThanOrEqual(6); // of 64 pieces
});

describe('withoutSecrets', () => {
  it.each([
    ['{"cloud":{"id":"x","secret":"s3"}}', '{"cloud":{"id":"x","secret":""}}'],
    ['{"api_key":"k","apiKey":"k","API-KEY":"k"}', '{"api_key":"","apiKey":"","API-KEY":""}'],
    ['{"type":"api-key","payload":"p"}', '{"type":"api-key","payload":""}'],
    ['{"env":{"HF_TOKEN":"t","password":1234}}', '{"env":{"HF_TOKEN":"","password":""}}'],
    ['{"auth":{"handlers":[{"config":{"keys":["k"]}}]}}', '{"auth":""}'],
    ['{"rtsp_address":"rtsp://me:pw@10.0.0.5/s"}', '{"rtsp_address":"rtsp://10.0.0.5/s"}'],
    ['{"a":"web+rtsp.v1://me@x and http://b:c@y"}', '{"a":"web+rtsp.v1://x and http://y"}'],
    ['{"monkey":"banana","tokenizer":"t","keyboard":1}', '{"monkey":"banana","tokenizer":"t","keyboard":1}'],
  ])('%s becomes %s', (text, expected) => {
    expect(withoutSecrets(text).text).toBe(expected);
  });

  it('counts what it took out', () => {
    expect(shareConfig('{"a":{"secret":"x"},"token":"y"}').secretsRemoved).toBe(2);
  });

  it('refuses a text whose mistakes could hide a secret', () => {
    expect(() => shareConfig('{"secret": "abc').encoded).toThrow(ShareError);
    expect(() => shareConfig('{} // secret: abc').encoded).toThrow(ShareError);
  });
});
