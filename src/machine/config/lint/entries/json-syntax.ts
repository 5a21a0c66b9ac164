import { jsonMistakes, type JsonMistake } from '../../json/json-mistakes.ts';
import type { Fix } from '../rule/finding.ts';
import type { Rule } from '../rule/rule.ts';

/** Mistakes of the JSON itself, which the machine refuses as a whole. */
export const jsonSyntax: Rule = {
  code: 'json-syntax',
  *check({ document, text }) {
    for (const mistake of jsonMistakes(document)) {
      const { offset, length, message } = mistake;
      const fix = fixOf(text, mistake);
      yield { path: [], range: { offset, length }, severity: 'error', message, ...(fix && { fix }) };
    }
  },
};

const removals: Readonly<Record<string, string>> = {
  ByteOrderMark: 'Remove the byte order mark',
  TrailingComma: 'Remove the comma',
  InvalidCommentToken: 'Remove the comment',
};

function fixOf(text: string, { code, offset, length }: JsonMistake): Fix | undefined {
  const title = removals[code];
  if (title) return { title, edits: [{ offset, length, content: '' }] };
  if (code !== 'CommaExpected') return undefined;
  const end = text.slice(0, offset).trimEnd().length;
  return { title: 'Insert a comma', edits: [{ offset: end, length: 0, content: ',' }] };
}
