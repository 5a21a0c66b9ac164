import type { LinkRoute } from '../../live-machine/live-machine.ts';

/** The members of RTCStats that are read; statistics refer to each other by id. */
interface Statistic {
  readonly type: string;
  readonly selectedCandidatePairId?: string;
  readonly nominated?: boolean;
  readonly state?: string;
  readonly localCandidateId?: string;
  readonly remoteCandidateId?: string;
  readonly candidateType?: 'host' | 'srflx' | 'prflx' | 'relay';
  /** seconds */
  readonly currentRoundTripTime?: number;
  readonly bytesReceived?: number;
}

/** The route of a connection by its selected candidate pair (webrtc-stats); null: none is selected yet. */
export function routeOf(report: { values(): Iterable<unknown>; get(id: string): unknown }): LinkRoute | null {
  const statistics = [...report.values()] as readonly Statistic[];
  const transport = statistics.find(({ type }) => type === 'transport');
  const pair =
    (report.get(transport?.selectedCandidatePairId ?? '') as Statistic | undefined) ??
    // Firefox names no pair of the transport.
    statistics.find(({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded');
  if (!pair) return null;
  const types = [pair.localCandidateId, pair.remoteCandidateId].map(
    (id) => (report.get(id ?? '') as Statistic | undefined)?.candidateType,
  );
  const kind = types.includes('relay') ? 'relayed' : types.every((type) => type === 'host') ? 'local' : 'direct';
  return {
    kind,
    roundTripMs: pair.currentRoundTripTime === undefined ? null : pair.currentRoundTripTime * 1000,
    receivedBytes: pair.bytesReceived ?? null,
  };
}
