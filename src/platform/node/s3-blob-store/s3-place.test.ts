import { describe, expect, it } from 'vitest';
import { parseS3Place, placeInWords } from './s3-place.ts';

describe('parseS3Place', () => {
  it.each([
    ['s3://pictures', { bucket: 'pictures', prefix: '', endpoint: null, region: 'us-east-1' }],
    ['s3://pictures/', { bucket: 'pictures', prefix: '', endpoint: null, region: 'us-east-1' }],
    [
      's3://my.pictures/site-1/line_2/?endpoint=https://storage.example.com:9000&region=eu-1',
      { bucket: 'my.pictures', prefix: 'site-1/line_2/', endpoint: 'https://storage.example.com:9000', region: 'eu-1' },
    ],
  ])('reads %s', (text, place) => expect(parseS3Place(text)).toEqual(place));

  it.each([
    ['/data/blobs', /no address/],
    ['https://pictures', /no address/],
    ['s3://', /no name of a bucket/],
    ['s3://Pictures_1', /no name of a bucket/],
    ['s3://pictures/a b', /the prefix/],
    ['s3://pictures?endpoint=storage', /no origin as/],
    ['s3://pictures?endpoint=http://storage/path', /no origin as/],
    ['s3://pictures?secret=x', /no option "secret"/],
    ['s3://key:hush@pictures', /set AWS_ACCESS_KEY_ID/],
    ['s3://pictures?endpoint=http://key:hush@storage', /no origin as/],
    ['s4://key:hush@pictures', /no address/],
  ])('refuses %s, without its secret', (text, words) => {
    const { wrong } = parseS3Place(text) as { wrong: string };
    expect(wrong).toMatch(words);
    expect(wrong).not.toContain('hush');
  });
});

it('says a place in words', () => {
  const place = { bucket: 'b', prefix: 'p/', endpoint: null, region: 'eu-1' };
  expect(placeInWords(place)).toBe('s3://b/p/ at AWS in eu-1');
  expect(placeInWords({ ...place, prefix: '', endpoint: 'http://h' })).toBe('s3://b/ at http://h');
});
