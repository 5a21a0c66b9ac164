/** Makes ids: ASCII letters, digits and dashes, never twice the same, not to be guessed (as UUID version 4). */
export interface Ids {
  next(): string;
}
