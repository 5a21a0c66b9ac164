/** A machine's configuration where the machine takes it up from: a file that it watches, or its part in an account. */
export interface WatchedConfig {
  /** `text`: every character; `values`: what a JSON text says, laid out anew */
  readonly keeps: 'text' | 'values';
  readonly name: string;
  /** which one of that name; '' where nobody can say */
  readonly place: string;
  /** id of the account's part; null for a file */
  readonly partId: string | null;
  /** The text as it is there now. */
  read(): Promise<string>;
  /**
   * Puts `after` in the place of `before`, both as `read` gives them; resolves with what is there then. What is there already is
   * as good as written. Rejects with ChangedMeanwhile where it is neither: nothing is written then.
   */
  replace(before: string, after: string): Promise<string>;
  /** A text as `read` gives it once it is written: a place that keeps values lays them out anew. */
  inForm(text: string): string;
}

/** Someone else wrote the configuration since it was read. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
  readonly there: string;
  constructor(there: string, options?: ErrorOptions) {
    super('The configuration was changed by someone else since it was read.', options);
    this.there = there;
  }
}
