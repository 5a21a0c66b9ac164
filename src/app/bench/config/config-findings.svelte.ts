import { untrack } from 'svelte';
import type { Finding, Fix, LintFacts, ModelJudge } from '../../../config/lint/finding.ts';
import type { lint } from '../../../config/lint/lint.ts';

export type Lint = typeof lint;

/** How long findings may lag behind a drag or typing. */
const LINT_AFTER_MS = 200;

/** What lint says of the configuration's text: nothing until `lintBy`, as no picture waits for its rules. */
export class ConfigFindings {
  readonly #facts: () => LintFacts;
  readonly #judge: ModelJudge;
  #lint = $state.raw<Lint | null>(null);
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
    return this.#lint?.(this.#text, untrack(this.#facts), this.#judge) ?? [];
  });

  lintBy(lint: Lint): void {
    this.#lint = lint;
  }

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
    const findings = this.#lint?.(text, this.#facts(), this.#judge);
    return findings?.find((found) => found.code === code && found.pointer === pointer)?.fix;
  }
}
