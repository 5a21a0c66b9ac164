import {
  observeFrame,
  startPolicy,
  type CapturePolicy,
  type CaptureRule,
  type PolicyState,
} from '../capture/capture-policy.ts';
import { observationOf } from '../capture/observation-of.ts';
import { serviceFilter, type ServiceFilter, type ServiceFilterRule } from '../../machine/vision/face/filters.ts';
import { ChangeFinder } from './changes.ts';
import { keptResults, type FootageFrame } from './footage-frame.ts';

/**
 * Rules that choose frames of footage for a dataset: those of captures, as far as results alone decide, with the time of
 * the footage in place of the clock.
 */
export type FootageRule =
  | Exclude<CaptureRule, { readonly kind: 'differs' }>
  /** every n-th frame that was run, beginning with the first */
  | { readonly kind: 'every'; readonly frames: number }
  /** the first frame of each change; see `ChangeFinder` */
  | { readonly kind: 'change'; readonly holdMs: number };

/** A frame with the rules that chose it. */
export interface ChosenFrame {
  readonly index: number;
  readonly because: readonly FootageRule[];
}

/** Chooses frames by rules: one is enough. Frames are added in order of time; those that failed are never chosen. */
export class FrameChooser {
  readonly #filter: ServiceFilter;
  readonly #policy: CapturePolicy;
  readonly #every: readonly Extract<FootageRule, { readonly kind: 'every' }>[];
  readonly #changes: readonly (readonly [FootageRule, ChangeFinder])[];
  readonly #because = new Map<number, FootageRule[]>();
  #state: PolicyState;
  #added = 0;

  constructor(rules: readonly FootageRule[], filterRule: ServiceFilterRule) {
    this.#filter = serviceFilter(filterRule);
    this.#every = rules.filter((rule) => rule.kind === 'every');
    this.#changes = rules.flatMap((rule) =>
      rule.kind === 'change' ? [[rule, new ChangeFinder(filterRule, rule.holdMs)] as const] : [],
    );
    this.#policy = {
      rules: rules.filter((rule) => rule.kind !== 'every' && rule.kind !== 'change'),
      budget: { maxFrames: null, maxBytes: null, maxPerMinute: null },
    };
    this.#state = startPolicy(this.#policy);
  }

  add(frame: FootageFrame): void {
    if (frame.failure) return;
    for (const rule of this.#every) if (this.#added % rule.frames === 0) this.#choose(frame.index, rule);
    this.#added++;
    for (const [rule, finder] of this.#changes) for (const { index } of finder.add(frame)) this.#choose(index, rule);
    const observation = observationOf({ ...keptResults(frame, this.#filter), raw: frame, grey: null }, frame.timeMs);
    const { state, because } = observeFrame(this.#policy, this.#state, observation);
    this.#state = state;
    for (const rule of because as readonly FootageRule[]) this.#choose(frame.index, rule);
  }

  /** @returns what was chosen so far, in order */
  chosen(): readonly ChosenFrame[] {
    return [...this.#because].map(([index, because]) => ({ index, because })).sort((a, b) => a.index - b.index);
  }

  #choose(index: number, rule: FootageRule): void {
    this.#because.set(index, [...(this.#because.get(index) ?? []), rule]);
  }
}
