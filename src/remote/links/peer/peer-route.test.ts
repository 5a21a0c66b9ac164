import { expect, it } from 'vitest';
import { routeOf } from './peer-route.ts';

const pair = {
  type: 'candidate-pair',
  state: 'succeeded',
  nominated: true,
  localCandidateId: 'l',
  remoteCandidateId: 'r',
};

/** Statistics of a connection between candidates of these types. */
function report(local: string, remote: string, more: Record<string, unknown> = {}): Map<string, unknown> {
  return new Map<string, unknown>([
    ['t', { type: 'transport', selectedCandidatePairId: 'p' }],
    ['other', { ...pair, nominated: false }],
    ['p', { ...pair, currentRoundTripTime: 0.0125, bytesReceived: 9000 }],
    ['l', { type: 'local-candidate', candidateType: local }],
    ['r', { type: 'remote-candidate', candidateType: remote }],
    ...Object.entries(more),
  ]);
}

it.each([
  ['host', 'host', 'local'],
  ['host', 'srflx', 'direct'],
  ['prflx', 'host', 'direct'],
  ['relay', 'host', 'relayed'],
  ['srflx', 'relay', 'relayed'],
])('a connection of %s with %s is %s', (local, remote, kind) => {
  expect(routeOf(report(local, remote))).toEqual({ kind, roundTripMs: 12.5, receivedBytes: 9000 });
});

it('a connection whose statistics name no pair, as in Firefox, goes by the nominated one', () => {
  expect(routeOf(report('host', 'host', { t: { type: 'transport' } }))).toMatchObject({
    kind: 'local',
    roundTripMs: 12.5,
  });
});

it('nothing that was not measured is stated', () => {
  expect(routeOf(report('host', 'host', { p: pair }))).toEqual({
    kind: 'local',
    roundTripMs: null,
    receivedBytes: null,
  });
  expect(routeOf(new Map())).toBeNull();
});
