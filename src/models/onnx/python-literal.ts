/** A value written as Python's repr or as JSON: what exporters put into model metadata. */
export type Literal = string | number | boolean | null | Literal[] | Map<string | number, Literal>;

const words: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  null: null,
  None: null,
};
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const tokenPattern =
  /\s*(?:([[\](){}:,])|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z]+))\s*/y;

type Token = { readonly mark: string } | { readonly value: string | number | boolean | null };

/** Parses lists, tuples, dictionaries, strings, numbers and the words for true, false and nothing; undefined if the text is anything else. */
export function parseLiteral(text: string): Literal | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  let next = 0;
  const isMark = (mark: string) => {
    const token = tokens[next];
    return token !== undefined && 'mark' in token && token.mark === mark;
  };

  const items = <T>(close: string, readItem: () => T | undefined): T[] | undefined => {
    const list: T[] = [];
    while (!isMark(close)) {
      const item = readItem();
      if (item === undefined) return undefined;
      list.push(item);
      if (isMark(',')) next += 1;
      else if (!isMark(close)) return undefined;
    }
    next += 1;
    return list;
  };
  const readEntry = (): [string | number, Literal] | undefined => {
    const key = readValue();
    if ((typeof key !== 'string' && typeof key !== 'number') || !isMark(':')) return undefined;
    next += 1;
    const value = readValue();
    return value === undefined ? undefined : [key, value];
  };
  const readValue = (): Literal | undefined => {
    const token = tokens[next];
    next += 1;
    if (token === undefined) return undefined;
    if ('value' in token) return token.value;
    if (token.mark === '[') return items(']', readValue);
    if (token.mark === '(') return items(')', readValue);
    if (token.mark !== '{') return undefined;
    const entries = items('}', readEntry);
    return entries && new Map(entries);
  };

  const literal = readValue();
  return next === tokens.length ? literal : undefined;
}

function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const match = tokenPattern.exec(text);
    if (match === null) return undefined;
    const [, mark, single, double, number, word] = match;
    const quoted = single ?? double;
    if (mark !== undefined) tokens.push({ mark });
    else if (quoted !== undefined) tokens.push({ value: unescape(quoted) });
    else if (number !== undefined) tokens.push({ value: Number(number) });
    else if (word !== undefined && word in words) tokens.push({ value: words[word]! });
    else return undefined;
  }
  return tokens;
}

function unescape(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/g, (_, unicode, hex, other: string) =>
    other === undefined ? String.fromCharCode(parseInt(unicode ?? hex, 16)) : (escapes[other] ?? other),
  );
}
