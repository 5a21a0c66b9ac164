import type { FilterRule, FilterService } from './filter-rule.ts';

/** A detection or a classification, as far as the filter looks at it. */
export interface ScoredLabel {
  readonly label: string;
  /** 0..1 */
  readonly score: number;
}

/** What one vision service says of an image, after its own thresholds. */
export interface SeenByService {
  /** the 100 highest at most, in the service's order; null: it gives none, or failed */
  readonly classifications: readonly ScoredLabel[] | null;
  /** in the service's order; null: it gives none, or failed */
  readonly detections: readonly ScoredLabel[] | null;
}

/** What each vision service says of an image, by its name; a service that is missing fails. */
export type SeenByServices = Readonly<Record<string, SeenByService>>;

export type FilterKind = 'classifications' | 'objects';

/** A detection or classification that exceeds its score. */
export interface FilterMatch extends ScoredLabel {
  /** index of the match in the service's results */
  readonly at: number;
  /** the line of the rule: the label itself, or `*` */
  readonly key: string;
}

/** Why an image triggers, or does not. */
export interface ImageDecision {
  /** `accepted`: it triggers. `inhibited`: a service holds it back. `nothing`: none matches. `failed`: a service does not answer, and the call gives no image. */
  readonly verdict: 'accepted' | 'inhibited' | 'nothing' | 'failed';
  /** the service that decided; null: `nothing`, or accepted because the rule has no accepting service */
  readonly service: FilterService | null;
  /** which of its two maps; null with `service` */
  readonly kind: FilterKind | null;
  /** all that exceed their score there, in the service's order; when accepted, these annotate the image */
  readonly matches: readonly FilterMatch[];
}

/**
 * Decides for one image as a filtered camera does when neither a window nor a cool-down is on: inhibiting services first, then the
 * accepting ones, in the order of the configuration, of each its classifications before its objects.
 * @param rule of `filterRule`
 * @param seen by each service
 * @returns the decision; a score that equals its threshold does not exceed it
 * @example
 * const person = { vision: 'eyes', inhibit: false, classifications: {}, objects: { person: 0.5 } };
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [person], beforeMs: 0, afterMs: 1000, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 3 };
 * const seen = (score) => ({ eyes: { classifications: null, detections: [{ label: 'person', score }] } });
 * decideImage(rule, seen(0.51)).verdict; // => 'accepted'
 * decideImage(rule, seen(0.5)).verdict; // => 'nothing'
 */
export function decideImage(rule: FilterRule, seen: SeenByServices): ImageDecision {
  for (const service of [...rule.inhibitors, ...rule.acceptors]) {
    for (const kind of ['classifications', 'objects'] as const) {
      if (Object.keys(service[kind]).length === 0) continue;
      const said = Object.hasOwn(seen, service.vision) ? seen[service.vision]! : null;
      const results = said && (kind === 'objects' ? said.detections : said.classifications);
      if (!results) return { verdict: 'failed', service, kind, matches: [] };
      const matches = matchesOf(service[kind], results);
      if (matches.length > 0) return { verdict: service.inhibit ? 'inhibited' : 'accepted', service, kind, matches };
    }
  }
  return { verdict: rule.acceptors.length === 0 ? 'accepted' : 'nothing', service: null, kind: null, matches: [] };
}

function matchesOf(scores: Readonly<Record<string, number>>, results: readonly ScoredLabel[]): FilterMatch[] {
  const exceeds = (score: number, key: string): boolean => Object.hasOwn(scores, key) && score > scores[key]!;
  return results.flatMap(({ label, score }, at) => {
    // A label that fails its own line may still pass that of `*`.
    const key = [label, '*'].find((candidate) => exceeds(score, candidate));
    return key === undefined ? [] : [{ label, score, at, key }];
  });
}
