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
    ['/data/blobs', /not an address/],
    ['https://pictures', /not an address/],
    ['s3://', /not the name of a bucket/],
    ['s3://Pictures_1', /not the name of a bucket/],
    ['s3://pictures/a b', /the prefix/],
    ['s3://pictures?endpoint=storage', /not an origin like/],
    ['s3://pictures?endpoint=http://storage/path', /not an origin like/],
    ['s3://pictures?secret=x', /no option "secret"/],
    ['s3://key:hush@pictures', /set AWS_ACCESS_KEY_ID/],
    ['s3://pictures?endpoint=http://key:hush@storage', /not an origin like/],
    ['s4://key:hush@pictures', /not an address/],
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
