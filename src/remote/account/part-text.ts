import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { detectStyle, formatJson, isObject, parseDocument, sameJson } from '../../machine/config/face/json.ts';
import { AccountError } from './account-error.ts';
import type { PartConfiguration } from './account.ts';

/** These keys come first, because a reader identifies an entry by them. The others are sorted, because the service stores no order. */
const firstKeys = ['name', 'api', 'model'];

/** A part's configuration as text: the stored text if there is one and it has the same values as the entries, otherwise generated. */
export function textOfPart({ entries, text, name }: PartConfiguration): string {
  if (text !== null && sameJson(parseDocument(text).value, entries)) return text;
  if (!isFinite(entries)) {
    throw new AccountError(
      'unreadable',
      `The configuration of ${name} holds a number that JSON has no word for (NaN, or an infinite one).`,
      'Fix it with the program that wrote it.',
    );
  }
  return textOfEntries(entries);
}

/** Generates the text of values. Equal values always give the same text. */
export function textOfEntries(entries: JsonObject): string {
  return `${formatJson(inOrder(entries), detectStyle(''), '')}\n`;
}

/** Parses a text; null if it is not valid JSON, or not an object. */
export function entriesOfText(text: string): JsonObject | null {
  const { value, errors } = parseDocument(text);
  return errors.length === 0 && isObject(value) ? (value as JsonObject) : null;
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const keys = [
    ...firstKeys.filter((key) => Object.hasOwn(value, key)),
    ...Object.keys(value)
      .filter((key) => !firstKeys.includes(key))
      .toSorted(),
  ];
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key]!)]));
}

function isFinite(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFinite);
}
