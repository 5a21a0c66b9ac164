import { expect, it } from 'vitest';
import { countText, findingTitle, healthOf, picturesOf, sideText, type KnownPictures } from './dataset-findings.ts';
import type { StoredPicture } from '../../../annotate/saving/stored-pictures.ts';

const box = (label: string, xMaxNormalized: number) => ({
  label,
  xMaxNormalized,
  xMinNormalized: 0,
  yMinNormalized: 0,
  yMaxNormalized: 0.5,
});
const picture = (contentId: string, fields: Partial<StoredPicture> = {}): StoredPicture => ({
  contentId,
  fileName: `${contentId}.png`,
  sizeBytes: 9,
  mimeType: 'image/png',
  timeMs: null,
  source: '',
  boxes: [],
  classifications: [],
  tags: [],
  capturedAt: null,
  origin: {},
  ...fields,
});
const known: KnownPictures = {
  pictures: [
    picture('a', { boxes: [box('cup: red', 0.5), box('dog', 0)] }),
    picture('b', { boxes: [box('dog', 0.0004)] }),
    picture('c', { tags: ['dusk'] }),
    picture('d'),
  ],
  scans: new Map([
    ['b', { id: 'b', hash: 1n, statistics: null, sizePx: { widthPx: 100, heightPx: 50 }, orientation: 6 }],
    ['d', { id: 'd', hash: null, statistics: null, sizePx: null, orientation: 1 }],
  ]),
  nearDuplicates: [
    ['a', 'b'],
    ['c', 'd'],
  ],
};

it.each<[string, readonly string[]]>([
  ['without-boxes', ['c', 'd']],
  ['unlabelled', ['d']],
  ['undecodable', ['d']],
  ['label:cup: red', ['a']],
  ['image-label:dusk', ['c']],
  ['fault:degenerate', ['a']],
  ['fault:tiny', ['b']],
  ['fault:outside', []],
  ['side:6', ['a']], // a box of half the width and half the height
  ['per-image:0', ['c', 'd']],
  ['per-image:2', ['a']],
  ['alike:1', ['c', 'd']],
  ['alike', ['a', 'b', 'c', 'd']],
  ['alike:7', []],
  ['nonsense', []],
])('%s is about %j', (finding, ids) => {
  expect(picturesOf(finding, known, healthOf(known))).toEqual(ids);
});

it('says what a finding and a bin are', () => {
  const health = healthOf(known);
  expect(findingTitle('label:cup: red', health)).toBe('Images with cup: red');
  expect(findingTitle('alike:0', health)).toBe('Near duplicates, group 1');
  expect([sideText([0, 1 / 64, 1 / 32], 1), countText([0, 1, 2, 5, Infinity], 2)]).toEqual(['1.6–3.1 %', '2–4']);
  expect(countText([0, 1, 100, Infinity], 2)).toBe('≥ 100');
});
