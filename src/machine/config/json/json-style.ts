import type { JsonNode } from './json-document.ts';

/** How a JSON text is formatted, so that insertions are formatted alike. */
export interface JsonStyle {
  readonly indentUnit: string;
  readonly lineBreak: string;
  /** between a key's colon, or a comma, and what follows on the same line: one space, or nothing in a minified text */
  readonly gap: string;
  /** inside the braces of an object on one line */
  readonly padding: string;
}

/**
 * Finds out how a JSON text is formatted.
 * @param text of any kind
 * @returns its style; two spaces where the text shows no indentation
 * @example
 * detectStyle('{\n\t"a": 1\n}').indentUnit; // => '\t'
 * detectStyle('{"a":1,"b":2}').gap; // => ''
 */
export function detectStyle(text: string): JsonStyle {
  const minified = /":\S/.test(text) && !/":\s/.test(text);
  return {
    indentUnit: /\n([ \t]+)["\]}[{]/.exec(text)?.[1] ?? '  ',
    lineBreak: text.includes('\r\n') ? '\r\n' : '\n',
    gap: minified ? '' : ' ',
    padding: minified || (/\{"/.test(text) && !/\{ "/.test(text)) ? '' : ' ',
  };
}

/**
 * Writes a value in a style: objects with a line for each property, lists of plain values on one line.
 * @param value JSON; keys that are undefined are left out
 * @param style of `detectStyle`
 * @param indent white space before its closing bracket; the first line gets none
 * @param oneLine whether all of it stands on one line
 * @returns the text
 * @example
 * const style = detectStyle('');
 * formatJson({ a: [1, 2] }, style, ''); // => '{\n  "a": [1, 2]\n}'
 * formatJson({ a: [1, 2] }, style, '', true); // => '{ "a": [1, 2] }'
 */
export function formatJson(value: unknown, style: JsonStyle, indent: string, oneLine = false): string {
  if (Object.is(value, -0)) return '-0'; // which JSON.stringify forgets
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const items = Object.entries(value).filter(([, item]) => item !== undefined);
  if (items.length === 0) return open + close;
  const flat =
    oneLine || style.gap === '' || (isList && items.every(([, item]) => typeof item !== 'object' || item === null));
  const inner = flat ? indent : indent + style.indentUnit;
  const parts = items.map(([key, item]) => {
    const text = formatJson(item, style, inner, flat || (isList && isSingleValue(item)));
    return isList ? text : `${JSON.stringify(key)}:${style.gap}${text}`;
  });
  if (flat) {
    const padding = isList ? '' : style.padding;
    return open + padding + parts.join(`,${style.gap}`) + padding + close;
  }
  const newLine = style.lineBreak + inner;
  return open + newLine + parts.join(`,${newLine}`) + style.lineBreak + indent + close;
}

/** An object as short as `{ "type": "" }`, which reads better on the line of its list. */
function isSingleValue(item: unknown): boolean {
  const values: unknown[] = typeof item === 'object' && item !== null ? Object.values(item) : [];
  return values.length === 1 && typeof values[0] !== 'object';
}

/** The white space that the line of a position starts with. */
export function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

/** Whether a list or object is not empty and is written on one line. */
export function isOneLine(text: string, node: JsonNode): boolean {
  return (node.children?.length ?? 0) > 0 && !text.slice(node.offset, node.offset + node.length).includes('\n');
}
