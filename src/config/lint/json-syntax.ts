import type { JsonSyntaxError } from '../json-document.ts';
import type { Fix } from './finding.ts';
import type { Rule } from './rule.ts';

const messages: Readonly<Record<string, string>> = {
  NestedTooDeeply: 'More than 500 brackets stand in each other here: this is no configuration of a machine.',
  InvalidSymbol: 'This is no JSON value.',
  InvalidNumberFormat: 'This is no JSON number.',
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

/** Mistakes of the JSON itself, which the machine refuses as a whole. */
export const jsonSyntax: Rule = {
  code: 'json-syntax',
  *check({ document, text }) {
    const seen = new Set<number>();
    for (const error of document.errors) {
      if (seen.has(error.offset)) continue; // one mistake often leaves a name, a colon and a value missing at once
      seen.add(error.offset);
      const comma = trailingComma(text, error.offset);
      const fix = fixOf(text, error, comma);
      yield {
        path: [],
        range: comma === undefined ? { offset: error.offset, length: error.length } : { offset: comma, length: 1 },
        severity: 'error',
        message:
          comma === undefined
            ? (messages[error.code] ?? 'This is no JSON.')
            : 'JSON has no comma after the last item: the machine refuses this one.',
        ...(fix && { fix }),
      };
    }
  },
};

function fixOf(text: string, { code, offset, length }: JsonSyntaxError, comma: number | undefined): Fix | undefined {
  if (comma !== undefined) return { title: 'Remove the comma', edits: [{ offset: comma, length: 1, content: '' }] };
  if (code === 'InvalidCommentToken') return { title: 'Remove the comment', edits: [{ offset, length, content: '' }] };
  if (code !== 'CommaExpected') return undefined;
  const end = text.slice(0, offset).trimEnd().length;
  return { title: 'Insert a comma', edits: [{ offset: end, length: 0, content: ',' }] };
}

/** Position of a comma that stands right before the closing bracket at `offset`. */
function trailingComma(text: string, offset: number): number | undefined {
  if (text[offset] !== '}' && text[offset] !== ']') return undefined;
  const before = text.slice(0, offset).trimEnd();
  return before.endsWith(',') ? before.length - 1 : undefined;
}
