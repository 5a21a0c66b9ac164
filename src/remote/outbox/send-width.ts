/**
 * A browser opens six connections to a host without HTTP/2; the two further entries use the time in which others
 * are recorded or looked up.
 */
const mostAtOnce = 8;

/**
 * How many entries are sent to a target at once: one until the first success, twice as many after each success, and
 * one again after a failure. So a target that is down is tried with one entry and not with all.
 */
export class SendWidth {
  readonly #byTarget = new Map<string, number>();

  of(targetId: string): number {
    return this.#byTarget.get(targetId) ?? 1;
  }

  taken(targetId: string): void {
    this.#byTarget.set(targetId, Math.min(mostAtOnce, 2 * this.of(targetId)));
  }

  failed(targetId: string): void {
    this.#byTarget.delete(targetId);
  }
}
