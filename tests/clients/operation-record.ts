import type { Mark, Marks } from './operation-table.ts';

/** How a call ended: 'ok', or the name of its code. */
export type Outcome = string;

const refusals: readonly string[] = ['FailedPrecondition'] satisfies Mark[];

/** Records the calls of a client, and keeps those of passed tests. */
export class OperationRecord {
  private readonly kept = new Map<string, Set<Outcome>>();
  private noted: (readonly [string, Outcome])[] = [];

  note(operation: string, outcome: Outcome = 'ok'): void {
    this.noted.push([operation, outcome]);
  }

  /** Runs a test. Calls recorded during it are kept only if it passes. */
  async during(run: () => Promise<unknown>): Promise<void> {
    this.noted = [];
    await run();
    for (const [operation, outcome] of this.noted) {
      this.kept.set(operation, (this.kept.get(operation) ?? new Set()).add(outcome));
    }
  }

  get marks(): Marks {
    const marks: Record<string, Mark> = {};
    for (const [operation, outcomes] of this.kept) {
      const refusal = refusals.find((code) => outcomes.has(code)) as Mark | undefined;
      const mark = outcomes.has('ok') ? '✓' : refusal;
      if (mark) marks[operation] = mark;
    }
    return marks;
  }
}
