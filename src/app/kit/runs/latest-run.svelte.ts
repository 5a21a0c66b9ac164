export interface Work<Result, Progress, Fault> {
  /** the progress before it tells any */
  readonly first: Progress;
  readonly run: (tell: (progress: Progress) => void, signal: AbortSignal) => Promise<Result>;
  /** Takes the result, which came in time. */
  readonly take: (result: Result) => void;
  /** Lets go of a result that came late. */
  readonly drop?: (late: Result) => void;
  /** null: the failure is said elsewhere */
  readonly faultOf: (error: unknown) => Fault | null;
}

/**
 * Work on request, of which the last alone counts: results, progress and failures that come after a cancel or a newer begin
 * are dropped.
 */
export class LatestRun<Progress, Fault = string> {
  /** null: nothing runs */
  progress = $state.raw<Progress | null>(null);
  /** why there is no result; null: there is, or nothing was asked */
  fault = $state.raw<Fault | null>(null);
  #abort: AbortController | null = null;

  /** Cancels what is under way and runs this. Resolves when it has ended; never rejects. */
  protected async begin<Result>({ first, run, take, drop, faultOf }: Work<Result, Progress, Fault>): Promise<void> {
    this.cancel();
    const abort = (this.#abort = new AbortController());
    const isLast = (): boolean => this.#abort === abort;
    this.fault = null;
    this.progress = first;
    const tell = (progress: Progress): void => {
      if (isLast()) this.progress = progress;
    };
    try {
      const result = await run(tell, abort.signal);
      if (isLast()) take(result);
      else drop?.(result);
    } catch (error) {
      if (isLast()) this.fault = faultOf(error);
    } finally {
      if (isLast()) this.#end();
    }
  }

  /** Cancels what is under way, and ends its worker. */
  cancel(): void {
    this.#abort?.abort();
    this.#end();
  }

  #end(): void {
    this.#abort = null;
    this.progress = null;
  }
}
