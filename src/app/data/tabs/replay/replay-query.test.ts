import { expect, it } from 'vitest';
import { readReplayQuery, writeReplayQuery, type ReplayAddress } from './replay-query.ts';

const choice = { partId: 'p 1', serviceName: 'watch&see', kind: 'detections', startMs: null, endMs: null } as const;

it.each<ReplayAddress>([
  { choice: null, rule: null, other: null },
  { choice, rule: null, other: null },
  {
    choice: { ...choice, kind: 'classifications', startMs: 1_700_000_000_123, endMs: 1_700_000_060_000 },
    rule: { defaultMinimumConfidence: 0.5, labelConfidences: {} },
    other: { defaultMinimumConfidence: 0, labelConfidences: { 'cup, of "tea"': 0.25, cat: 0.7 } },
  },
])('reads back what it wrote: %j', (address) => {
  expect(readReplayQuery(writeReplayQuery(address))).toEqual(address);
});

it('takes what is missing or wrong for nothing', () => {
  expect(readReplayQuery('?part=p')).toEqual({ choice: null, rule: null, other: null });
  const odd = readReplayQuery('?part=p&service=s&kind=x&from=yesterday&rule={&other=[1]');
  expect(odd).toEqual({
    choice: { partId: 'p', serviceName: 's', kind: 'detections', startMs: null, endMs: null },
    rule: null,
    other: null,
  });
  expect(readReplayQuery('?part=p&service=s&rule={"cat":"x","dog":0.5}').rule).toEqual({
    defaultMinimumConfidence: 0,
    labelConfidences: { dog: 0.5 },
  });
});
