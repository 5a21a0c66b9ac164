import { createScanner } from 'jsonc-parser';
import { isObject, parseDocument, type JsonDocument, type JsonSyntaxError } from './json-document.ts';

const messages: Readonly<Record<string, string>> = {
  ByteOrderMark: 'The text begins with a byte order mark (U+FEFF), which some editors write: the machine refuses it.',
  NestedTooDeeply: 'More than 500 brackets are nested here: this is not a machine configuration.',
  InvalidSymbol: 'This is not JSON value.',
  InvalidNumberFormat: 'This is not JSON number.',
  PropertyNameExpected: 'A property name in double quotes is missing here.',
  ValueExpected: 'A value is missing here.',
  ColonExpected: 'A colon is missing here.',
  CommaExpected: 'A comma is missing here.',
  CloseBraceExpected: 'A closing } is missing.',
  CloseBracketExpected: 'A closing ] is missing.',
  EndOfFileExpected: 'Nothing may follow the configuration.',
  InvalidCommentToken: 'JSON has no comments: the machine refuses this one.',
  UnexpectedEndOfComment: 'This comment does not end.',
  UnexpectedEndOfString: 'This text does not end: a double quote is missing.',
  UnexpectedEndOfNumber: 'This number does not end.',
  InvalidUnicode: 'This \\u escape needs four hexadecimal digits.',
  InvalidEscapeCharacter: 'JSON has no such escape.',
  InvalidCharacter: 'This character must be escaped.',
};

/** One mistake of a JSON text, in words. */
export interface JsonMistake {
  /** the parser's name of the mistake, such as `CommaExpected`, or `TrailingComma` */
  readonly code: string;
  readonly message: string;
  /** start of the characters to underline */
  readonly offset: number;
  readonly length: number;
}

/**
 * Says in words what is wrong with a JSON text. One mistake often leaves a name, a colon and a value missing: it is
 * reported once.
 * @param document of `parseDocument`
 * @returns in the order of the text; [] for strict JSON
 * @example
 * import { parseDocument } from './json-document.ts';
 * jsonMistakes(parseDocument('{"a": 1,}')).map(({ code, offset }) => [code, offset]); // => [['TrailingComma', 7]]
 */
export function jsonMistakes({ text, errors }: JsonDocument): readonly JsonMistake[] {
  const first = new Map<number, JsonSyntaxError>();
  for (const error of errors) if (!first.has(error.offset)) first.set(error.offset, error);
  return [...first.values()].flatMap(({ code, offset, length }, at, all) => {
    const comma = trailingComma(text, offset);
    if (comma === undefined && code === 'ValueExpected' && all[at - 1]?.code === 'InvalidSymbol') return [];
    if (comma === undefined)
      return { code, offset, length, message: messageOf(code, text.slice(offset, offset + length)) };
    const message = 'JSON has no comma after the last item: the machine refuses this one.';
    return { code: 'TrailingComma', offset: comma, length: 1, message };
  });
}

function messageOf(code: string, found: string): string {
  const message = messages[code] ?? 'This is not JSON.';
  if (code !== 'InvalidSymbol' || !/^[\x21-\x7e]+$/.test(found)) return message;
  return message.replace('.', `: "${found.length > 20 ? `${found.slice(0, 20)}…` : found}".`);
}

/** Position of a comma that stands right before the closing bracket at `offset`. */
function trailingComma(text: string, offset: number): number | undefined {
  if (text[offset] !== '}' && text[offset] !== ']') return undefined;
  const before = text.slice(0, offset).trimEnd();
  return before.endsWith(',') ? before.length - 1 : undefined;
}

/** Why a text is not read as a configuration, and what would mend it. */
export interface Unreadable {
  /** the first mistake, in a sentence or two */
  readonly message: string;
  /** where it is, both from 1 */
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
  readonly mend: JsonMend | null;
}

/** All that strict JSON lacks, taken out at once. */
export interface JsonMend {
  /** "Remove 2 comments and the trailing comma" */
  readonly title: string;
  /** the text without them: strict JSON */
  readonly text: string;
}

/**
 * Tells whether a text is strict JSON with an object in it, as a configuration must be.
 * @param text of any kind
 * @returns false also for a list or a number
 * @example
 * ['{"components": []}', '[]', '{'].map(isReadable); // => [true, false, false]
 */
export function isReadable(text: string): boolean {
  const { errors, value } = parseDocument(text);
  return errors.length === 0 && isObject(value);
}

/**
 * Says why a text cannot be read as a configuration.
 * @param text of any kind
 * @returns the first mistake with its place, and a mend where one is known; null: the text can be read
 * @example
 * unreadable('{}'); // => null
 * unreadable('{"a": 1,}')?.mend?.title; // => 'Remove the trailing comma'
 */
export function unreadable(text: string): Unreadable | null {
  const document = parseDocument(text);
  const [mistake = isObject(document.value) ? null : noObject(document)] = jsonMistakes(document);
  if (!mistake) return null;
  const { message, offset, length } = mistake;
  return { message, ...positionAt(text, offset), offset, length, mend: mendJson(text) };
}

function noObject({ root }: JsonDocument): Omit<JsonMistake, 'code'> {
  const { offset = 0, length = 0 } = root ?? {};
  return { offset, length, message: 'A machine configuration is a JSON object: it begins with { and ends with }.' };
}

/**
 * Gives line and column of a character.
 * @param text with `\n` or `\r\n` between its lines
 * @param offset of the character, from 0
 * @returns both from 1
 * @example
 * positionAt('{\n  "a": 1\n}', 4); // => { line: 2, column: 3 }
 */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

/**
 * Takes the byte order mark, the comments and the trailing commas out of a text, which many programs read and the machine does not.
 * Null where there are none, or where the rest is no JSON either.
 */
export function mendJson(text: string): JsonMend | null {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const cuts: { readonly from: number; readonly to: number }[] = start > 0 ? [{ from: 0, to: 1 }] : [];
  let comments = 0;
  let commas = 0;
  let comma: number | null = null;
  const scanner = createScanner(text.slice(start), false);
  while ((scanner.scan(), scanner.getTokenLength() > 0)) {
    const from = start + scanner.getTokenOffset();
    const token = text.slice(from, from + scanner.getTokenLength());
    const isComment = token.startsWith('//') || token.startsWith('/*');
    if (isComment) {
      comments++;
      cuts.push(withItsLine(text, from, from + scanner.getTokenLength()));
    }
    if (isComment || token.trim() === '') continue;
    if ((token === '}' || token === ']') && comma !== null) {
      commas++;
      cuts.push({ from: comma, to: comma + 1 });
    }
    comma = token === ',' ? from : null;
  }
  const mended = without(text, cuts);
  if (cuts.length === 0 || parseDocument(mended).errors.length > 0) return null;
  const parts = [
    start > 0 ? 'the byte order mark' : '',
    counted(comments, 'comment'),
    counted(commas, 'trailing comma'),
  ];
  return { title: `Remove ${inWords(parts.filter((part) => part !== ''))}`, text: mended };
}

/** A comment with the white space before it, and where it has lines of its own with their last break. */
function withItsLine(text: string, from: number, to: number): { readonly from: number; readonly to: number } {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const [rest = ''] = /^[^\S\n]*\n?/.exec(text.slice(to)) ?? [];
  const isAlone =
    text.slice(lineStart, from).trim() === '' && (rest.endsWith('\n') || to + rest.length === text.length);
  if (isAlone) return { from: lineStart, to: to + rest.length };
  const endsLine = rest.endsWith('\n') || to + rest.length === text.length;
  return { from: endsLine ? text.slice(0, from).trimEnd().length : from, to };
}

function without(text: string, cuts: readonly { readonly from: number; readonly to: number }[]): string {
  let kept = '';
  let at = 0;
  for (const { from, to } of cuts.toSorted((a, b) => a.from - b.from)) {
    kept += text.slice(at, Math.max(at, from));
    at = Math.max(at, to);
  }
  return kept + text.slice(at);
}

function counted(count: number, noun: string): string {
  if (count === 0) return '';
  return count === 1 ? `the ${noun}` : `${count} ${noun}s`;
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
