import { expect, it } from 'vitest';
import { readVisitRecord } from './visit-record.ts';

const record = {
  visitId: 'v',
  shown: 's',
  sample: '',
  zoom: { scale: 2, centreX: 10, centreY: 20.5 },
  video: { positionMs: 150, playing: false, loop: true },
  film: 'f',
  live: 'camera',
  names: ['a.png'],
  count: 1,
};

it('reads what was written', () => {
  expect(readVisitRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
});

it.each([null, 7, 'x', [], {}])('is nowhere after %j', (value) => {
  const nowhere = {
    visitId: null,
    shown: '',
    sample: '',
    zoom: null,
    video: null,
    film: '',
    live: '',
    names: [],
    count: 0,
  };
  expect(readVisitRecord(value)).toEqual(nowhere);
});

it.each([
  [{ zoom: { scale: 0, centreX: 1, centreY: 1 } }, { zoom: null }],
  [{ zoom: { scale: 1, centreX: null, centreY: 1 } }, { zoom: null }],
  [{ video: { positionMs: '3' } }, { video: null }],
  [{ video: { positionMs: 3 } }, { video: { positionMs: 3, playing: false, loop: false } }],
  [
    { film: 3, live: 'stills' },
    { film: '', live: '' },
  ],
  [{ names: ['a', 4, null] }, { names: ['a'] }],
  [
    { names: 'abc', count: 'many' },
    { names: [], count: 0 },
  ],
])('takes what fits of %j', (damage, expected) => {
  expect(readVisitRecord({ ...record, ...damage })).toEqual({ ...record, ...expected });
});
