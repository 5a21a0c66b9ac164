/** The known name that a text is the beginning of, or one slip of a letter away from; undefined: none is. */
export function oneSlipFrom(text: string, known: readonly string[]): string | undefined {
  return text === '' ? undefined : known.find((name) => name.startsWith(text) || isOneSlipApart(name, text));
}

/** One letter more, less or another, or two that changed places. */
function isOneSlipApart(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const rest = (text: string, skip: number): string => text.slice(at + skip);
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, 2) === rest(b, 2);
  return isSwapped || rest(a, 1) === rest(b, 1) || rest(a, 0) === rest(b, 1) || rest(a, 1) === rest(b, 0);
}
