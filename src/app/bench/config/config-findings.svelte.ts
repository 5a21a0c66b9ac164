import { untrack } from 'svelte';
import type { Finding, Fix, LintFacts } from '../../../machine/config/face/lint.ts';

/** Finds what is wrong in a configuration's text. */
export type Lint = (text: string, facts: LintFacts) => readonly Finding[];

/** How far findings may lag behind a drag or typing, ms. */
const LINT_AFTER_MS = 200;

/**
 * The linter's findings about the configuration's text. Empty until `lintBy` was called, so that no picture waits
 * for the rules to load.
 */
export class ConfigFindings {
  readonly #facts: () => LintFacts;
  #lint = $state.raw<Lint | null>(null);
  /** The text that the findings are about; during a drag, an earlier one. */
  text: string = $state.raw('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(facts: () => LintFacts) {
    this.#facts = facts;
  }

  // Facts are collected with every frame; the linter runs again only if they have changed.
  readonly #factsKey: string = $derived.by(() => JSON.stringify(this.#facts()));
  readonly all: readonly Finding[] = $derived.by(() => {
    void this.#factsKey;
    return this.#lint?.(this.text, untrack(this.#facts)) ?? [];
  });

  lintBy(lint: Lint): void {
    this.#lint = lint;
  }

  /** Lints a text: at once, or if it is being dragged, after the drag pauses, so that frames are not delayed. */
  follow(text: string, isMoving: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = isMoving ? setTimeout(() => this.follow(text, false), LINT_AFTER_MS) : undefined;
    if (!isMoving) this.text = text;
  }

  /**
   * The fix of a finding in a text that may have changed since; undefined: there is none, or the finding is gone.
   */
  fixIn(text: string, { code, pointer }: Finding): Fix | undefined {
    const findings = this.#lint?.(text, this.#facts());
    return findings?.find((found) => found.code === code && found.pointer === pointer)?.fix;
  }
}
