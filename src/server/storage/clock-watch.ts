import type { Micros, SeenTime } from '../../data-service/face/captures.ts';
import type { Clock } from '../../data-service/face/hosts.ts';

/** How far a clock may go on between two looks, also while the server is off. */
const longestGap = 24 * 60 * 60 * 1e6;

/** A clock that went further than that since it was last seen: it may be wrong, and all data is old by a wrong clock. */
export interface ClockLeap {
  readonly lastSeen: Micros;
  readonly now: Micros;
}

/** Tells whether the clock may be believed where data is deleted by its age. */
export class ClockWatch {
  readonly #seen: SeenTime;
  readonly #clock: Clock;
  #leap: ClockLeap | null = null;

  constructor(seen: SeenTime, clock: Clock) {
    this.#seen = seen;
    this.#clock = clock;
  }

  /** Looks at the clock, and remembers its time unless it has leapt. null: it has not, or a person has confirmed its time. */
  async look(): Promise<ClockLeap | null> {
    const now = this.#clock.now();
    const lastSeen = await this.#seen.read();
    this.#leap = lastSeen !== null && now - lastSeen > longestGap ? { lastSeen, now } : null;
    if (this.#leap === null) await this.#seen.write(now);
    return this.#leap;
  }

  /** The leap that the last look found, in seconds; 0: none. */
  get leapSeconds(): number {
    return this.#leap === null ? 0 : Math.round((this.#leap.now - this.#leap.lastSeen) / 1e6);
  }
}
