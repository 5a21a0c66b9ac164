import { untrack } from 'svelte';
import type { Finding, Fix, LintFacts, ModelJudge } from '../../config/lint/finding.ts';
import { lint } from '../../config/lint/lint.ts';

/** How long findings may lag behind a drag or typing. */
const LINT_AFTER_MS = 200;

/** What lint says of the configuration's text. */
export class ConfigFindings {
  readonly #facts: () => LintFacts;
  readonly #judge: ModelJudge;
  #text = $state.raw('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(facts: () => LintFacts, judge: ModelJudge) {
    this.#facts = facts;
    this.#judge = judge;
  }

  // Facts are gathered anew with every frame; the lint runs again only where they say something else.
  readonly #factsKey: string = $derived.by(() => JSON.stringify(this.#facts()));
  readonly all: readonly Finding[] = $derived.by(() => {
    void this.#factsKey;
    return lint(this.#text, untrack(this.#facts), this.#judge);
  });

  /** The text that the findings are about: the last one that was followed, or during a drag one before it. */
  get text(): string {
    return this.#text;
  }

  /** Lints a text: at once, or in a drag, whose frames belong to the picture, when it rests. */
  follow(text: string, isMoving: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = isMoving ? setTimeout(() => this.follow(text, false), LINT_AFTER_MS) : undefined;
    if (!isMoving) this.#text = text;
  }

  /** What mends a finding in a text that may have moved on since; undefined where nothing does, or it is gone. */
  fixIn(text: string, { code, pointer }: Finding): Fix | undefined {
    const findings = lint(text, this.#facts(), this.#judge);
    return findings.find((found) => found.code === code && found.pointer === pointer)?.fix;
  }
}
