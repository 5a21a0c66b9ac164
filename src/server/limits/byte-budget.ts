/** Bytes that somebody holds of a budget. */
export interface HeldBytes {
  /** Gives back what is above so many. */
  keep(bytes: number): void;
  release(): void;
}

interface Waiting {
  readonly who: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Bytes in memory that all may hold together. Who finds no room waits, in turn; nobody alone may hold more than two
 * thirds, so that one who never lets go stops only itself.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #maxShare: number;
  readonly #maxWaitMs: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #total = 0;

  constructor(maxBytes: number, maxWaitMs: number) {
    this.#maxBytes = maxBytes;
    this.#maxShare = Math.floor((maxBytes * 2) / 3);
    this.#maxWaitMs = maxWaitMs;
  }

  /** How many wait for room. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Bytes held now. */
  get total(): number {
    return this.#total;
  }

  /**
   * Resolves when there is room; more bytes than a share count as a whole one.
   * @returns null: there was none in time
   * @throws the signal's reason
   */
  async hold(who: string, bytes: number, signal: AbortSignal): Promise<HeldBytes | null> {
    signal.throwIfAborted();
    let kept = Math.min(bytes, this.#maxShare);
    if (this.#hasRoom(who, kept)) this.#change(who, kept);
    else if (!(await this.#turn(who, kept, signal))) return null;
    const keep = (left: number): void => {
      if (left >= kept) return;
      this.#change(who, left - kept);
      kept = left;
      this.#serve();
    };
    if (signal.aborted) keep(0); // the caller left in the moment that its turn came
    signal.throwIfAborted();
    return { keep, release: () => keep(0) };
  }

  /** Whether the turn came in time; the bytes are held then. */
  #turn(who: string, bytes: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        end();
        // those behind may need less
        this.#serve();
      };
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        reject(signal.reason as Error);
        leave();
      };
      const timer = setTimeout(() => {
        resolve(false);
        leave();
      }, this.#maxWaitMs);
      const waiting = {
        who,
        bytes,
        begin: () => {
          end();
          resolve(true);
        },
      };
      signal.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
    });
  }

  /** In turn, but for those whose own share is held: they stop nobody behind them. */
  #serve(): void {
    for (let index = 0; index < this.#waiting.length;) {
      const { who, bytes, begin } = this.#waiting[index]!;
      if (this.#total + bytes > this.#maxBytes) return;
      if (!this.#hasShare(who, bytes)) {
        index++;
        continue;
      }
      this.#waiting.splice(index, 1);
      this.#change(who, bytes);
      begin();
    }
  }

  #hasRoom(who: string, bytes: number): boolean {
    const isBehind = this.#waiting.some((other) => this.#hasShare(other.who, other.bytes) || other.who === who);
    return !isBehind && this.#total + bytes <= this.#maxBytes && this.#hasShare(who, bytes);
  }

  #hasShare(who: string, bytes: number): boolean {
    return (this.#held.get(who) ?? 0) + bytes <= this.#maxShare;
  }

  #change(who: string, bytes: number): void {
    this.#total += bytes;
    const held = (this.#held.get(who) ?? 0) + bytes;
    if (held > 0) this.#held.set(who, held);
    else this.#held.delete(who);
  }
}
