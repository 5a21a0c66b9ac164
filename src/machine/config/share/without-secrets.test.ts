import { describe, expect, it } from 'vitest';
import { ShareError } from './share-error.ts';
import { withoutSecrets } from './without-secrets.ts';

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
    expect(withoutSecrets('{"a":{"secret":"x"},"token":"y"}').removed).toBe(2);
  });

  it('refuses a text whose mistakes could hide a secret', () => {
    expect(() => withoutSecrets('{"secret": "abc')).toThrow(ShareError);
    expect(() => withoutSecrets('{} // secret: abc')).toThrow(ShareError);
  });
});
