import { errorWords, type ErrorWords } from '../words/error-words.ts';

/** Runs actions that may fail, and keeps in words why the last one did. */
export class Attempts {
  /** null: the last action did not fail */
  failure = $state.raw<ErrorWords | null>(null);
  /** whether an action is under way */
  busy: boolean = $state(false);

  dismiss(): void {
    this.failure = null;
  }

  /** Resolves to whether the action succeeded. */
  async attempt(action: () => Promise<unknown> | void): Promise<boolean> {
    this.failure = null;
    this.busy = true;
    try {
      await action();
      return true;
    } catch (error) {
      this.failure = errorWords(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
