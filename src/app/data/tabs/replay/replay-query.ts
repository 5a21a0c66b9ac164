import type { Recording } from '../../../../remote/links/replay-link.ts';
import type { ServiceFilterRule } from '../../../../machine/vision/face/filters.ts';

export const recordingKinds = ['detections', 'classifications'] as const;
export type RecordingKind = (typeof recordingKinds)[number];

/** The captures to replay: those of one vision service of one part. */
export interface ReplayChoice {
  readonly partId: string;
  readonly serviceName: string;
  readonly kind: RecordingKind;
  /** since 1970; null: from the first capture on */
  readonly startMs: number | null;
  /** null: to the last capture */
  readonly endMs: number | null;
}

/**
 * All of the captures of a service. The kind of results is a guess by the newest frames; those before may have results
 * of the other kind, too.
 */
export const usualChoice = ({ partId, serviceName, kinds }: Recording): ReplayChoice => ({
  partId,
  serviceName,
  kind: kinds[0] ?? 'detections',
  startMs: null,
  endMs: null,
});

/** The address of a replay: what is replayed, and under which thresholds. */
export interface ReplayAddress {
  readonly choice: ReplayChoice | null;
  /** null: as the bench has it */
  readonly rule: ServiceFilterRule | null;
  /** null: nothing is compared */
  readonly other: ServiceFilterRule | null;
}

/** "?part=…&service=…&from=…", or '' where nothing is chosen. Times are in UTC, so that a link means the same everywhere. */
export function writeReplayQuery({ choice, rule, other }: ReplayAddress): string {
  if (!choice) return '';
  const query = new URLSearchParams({ part: choice.partId, service: choice.serviceName, kind: choice.kind });
  if (choice.startMs !== null) query.set('from', new Date(choice.startMs).toISOString());
  if (choice.endMs !== null) query.set('until', new Date(choice.endMs).toISOString());
  if (rule) query.set('rule', ruleText(rule));
  if (other) query.set('other', ruleText(other));
  return `?${query.toString().replaceAll('%3A', ':')}`;
}

/** Reads what an address says; what it does not say, or says wrongly, is null. */
export function readReplayQuery(rest: string): ReplayAddress {
  const query = new URLSearchParams(rest.slice(Math.max(0, rest.indexOf('?'))));
  const [partId, serviceName] = [query.get('part'), query.get('service')];
  const time = (name: string): number | null => {
    const timeMs = Date.parse(query.get(name) ?? '');
    return Number.isNaN(timeMs) ? null : timeMs;
  };
  return {
    choice:
      partId && serviceName
        ? {
            partId,
            serviceName,
            kind: query.get('kind') === 'classifications' ? 'classifications' : 'detections',
            startMs: time('from'),
            endMs: time('until'),
          }
        : null,
    rule: readRule(query.get('rule')),
    other: readRule(query.get('other')),
  };
}

/** A list of labels, or the default where there is none. */
const ruleText = ({ defaultMinimumConfidence, labelConfidences }: ServiceFilterRule): string =>
  JSON.stringify(Object.keys(labelConfidences).length > 0 ? labelConfidences : defaultMinimumConfidence);

function readRule(text: string | null): ServiceFilterRule | null {
  try {
    const read: unknown = JSON.parse(text ?? 'null');
    if (typeof read === 'number') return { defaultMinimumConfidence: read, labelConfidences: {} };
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
    const listed = Object.entries(read).filter(([, value]) => typeof value === 'number') as [string, number][];
    return { defaultMinimumConfidence: 0, labelConfidences: Object.fromEntries(listed) };
  } catch {
    return null; // typed by hand
  }
}
