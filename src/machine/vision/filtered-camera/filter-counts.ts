import type { FilterKind, ImageDecision } from './decide-image.ts';
import type { FilterRule } from './filter-rule.ts';
import type { FilterOutcome } from './filter-step.ts';

/** What a filtered camera did over a while. */
export interface FilterCounts {
  /** calls of the data manager, by what came of them */
  readonly captures: Readonly<Record<'window' | 'cooldown' | 'triggered' | 'held-back' | 'failed', number>>;
  /** images that the filter was asked about, by its verdict */
  readonly images: Readonly<Record<ImageDecision['verdict'], number>>;
  /** images that the data manager was given, doubles included: what is stored */
  readonly given: number;
  /** each line of the rule, in the order in which it is asked */
  readonly lines: readonly FilterLineCount[];
  /** the module's answer to DoCommand */
  readonly stats: FilterStats;
}

/** What one line of a rule did. */
export interface FilterLineCount {
  readonly vision: string;
  readonly inhibit: boolean;
  readonly kind: FilterKind;
  /** a label, or `*` */
  readonly key: string;
  readonly score: number;
  /** images that it let through, or with `inhibit` held back; an image with two labels counts for the line of each */
  readonly images: number;
}

/** The module's own counts, of labels rather than of images. */
export interface FilterStats {
  readonly accepted: FilterStat;
  readonly rejected: FilterStat;
}

interface FilterStat {
  readonly total: number;
  /** by label; `no vision services triggered`: by none */
  readonly vision: Readonly<Record<string, number>>;
}

const byNone = 'no vision services triggered';

/**
 * Counts what comes of a filtered camera's events, one by one.
 * @example
 * const rule = { camera: 'cam', inhibitors: [], acceptors: [], beforeMs: 0, afterMs: 0, cooldownMs: 0, imageFrequencyHz: 1, ringSize: 0 };
 * const decision = { verdict: 'accepted', service: null, kind: null, matches: [] };
 * const kept = [{ image: 7, timeMs: 0, role: 'trigger', trigger: 0, annotations: [] }];
 * const tally = new FilterTally(rule);
 * tally.add({ verdict: 'triggered', decisions: [decision], kept, capturedAtMs: 0 });
 * [tally.counts.captures.triggered, tally.counts.given, tally.counts.stats.accepted.total]; // => [1, 1, 1]
 */
export class FilterTally {
  readonly #captures = { window: 0, cooldown: 0, triggered: 0, 'held-back': 0, failed: 0 };
  readonly #images = { accepted: 0, inhibited: 0, nothing: 0, failed: 0 };
  readonly #lines: ReadonlyMap<string, Line>;
  readonly #accepted = { total: 0, vision: new Map<string, number>() };
  readonly #rejected = { total: 0, vision: new Map<string, number>() };
  #given = 0;

  /** @param rule in force */
  constructor(rule: FilterRule) {
    this.#lines = new Map(linesOf(rule).map((line) => [lineKey(line), line]));
  }

  /** @param outcome of `filterStep`, in order */
  add({ verdict, decisions, kept }: FilterOutcome<unknown>): void {
    if (verdict !== 'stored' && verdict !== 'buffered') this.#captures[verdict]++;
    this.#given += kept.length;
    for (const decision of decisions) {
      this.#images[decision.verdict]++;
      const { service, kind, matches } = decision;
      if (service && kind) {
        const { vision, inhibit } = service;
        for (const key of new Set(matches.map((match) => match.key)))
          this.#lines.get(lineKey({ vision, inhibit, kind, key }))!.images++;
      }
      const stat = decision.verdict === 'accepted' ? this.#accepted : this.#rejected;
      for (const label of statLabels(decision)) {
        stat.total++;
        stat.vision.set(label, (stat.vision.get(label) ?? 0) + 1);
      }
    }
  }

  /** The counts so far: what is added later does not change them. */
  get counts(): FilterCounts {
    const statOf = ({ total, vision }: { readonly total: number; readonly vision: ReadonlyMap<string, number> }) => ({
      total,
      vision: Object.fromEntries(vision),
    });
    return {
      captures: { ...this.#captures },
      images: { ...this.#images },
      given: this.#given,
      lines: Array.from(this.#lines.values(), (line) => ({ ...line })),
      stats: { accepted: statOf(this.#accepted), rejected: statOf(this.#rejected) },
    };
  }
}

/** The module counts every label that accepts an image, and of those that inhibit it the first. */
function statLabels({ verdict, matches }: ImageDecision): readonly string[] {
  const labels = matches.map(({ label }) => label);
  if (verdict === 'failed') return [];
  if (verdict === 'inhibited') return labels.slice(0, 1);
  return labels.length > 0 ? labels : [byNone];
}

type Line = { -readonly [K in keyof FilterLineCount]: FilterLineCount[K] };

/** The lines of a rule. A service that is named twice has each line twice: they are asked with the same scores, and the first decides. */
function linesOf(rule: FilterRule): Line[] {
  return [...rule.inhibitors, ...rule.acceptors].flatMap((service) =>
    (['classifications', 'objects'] as const).flatMap((kind) =>
      Object.entries(service[kind]).map(([key, score]): Line => ({
        vision: service.vision,
        inhibit: service.inhibit,
        kind,
        key,
        score,
        images: 0,
      })),
    ),
  );
}

function lineKey({ vision, inhibit, kind, key }: Pick<Line, 'vision' | 'inhibit' | 'kind' | 'key'>): string {
  return JSON.stringify([vision, inhibit, kind, key]);
}
