/** Where the outbox sends to, as a person types it. */
export interface OutboxPlace {
  readonly url: string;
  readonly keyId: string;
  readonly key: string;
  readonly partId: string;
}

/** Pictures a second, round by round. */
export interface OutboxSpeeds {
  /** from the end of the pause until the last one is recorded as sent */
  readonly outbox: readonly number[];
  /** the same bytes and words by bare calls, from a page too */
  readonly bare: readonly number[];
}
