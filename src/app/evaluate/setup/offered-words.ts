/** Names that differ in wording only, as a question. */
export const offeredWords = (count: number): string =>
  count === 1
    ? '1 name differs only in wording: treat it as the same?'
    : `${count} names differ only in wording: treat them as the same?`;
