/** A browser opens six connections to a host without HTTP/2; what is over uses the time in which others are recorded and looked for. */
const mostAtOnce = 8;

/**
 * How many entries are on their way to a target at once: one until it has taken one, twice as many with each that it takes,
 * and one again after a failure. So a target that is down is tried by one entry and not by all.
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
