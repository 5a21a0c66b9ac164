/** The server that the outbox sends to, as a person types it. */
export interface OutboxPlace {
  readonly url: string;
  readonly keyId: string;
  readonly key: string;
  readonly partId: string;
}

/** Pictures per second, for each round. */
export interface OutboxSpeeds {
  /** measured from the end of the outbox's pause until the last picture is recorded as sent */
  readonly outbox: readonly number[];
  /** the same data, sent by plain calls from a page */
  readonly bare: readonly number[];
}
