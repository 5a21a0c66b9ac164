import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { isObject, parseDocument } from '../config/json-document.ts';
import { sameJson } from '../config/json-patch.ts';
import { detectStyle, formatJson } from '../config/json-style.ts';
import { AccountError } from './account-error.ts';
import type { PartConfiguration } from './account.ts';

/** What an entry is read by comes first; the rest by name, as the service keeps no order of keys. */
const firstKeys = ['name', 'api', 'model'];

/** A part's configuration as text: the one that was written, where the service has it and it says what the entries say. */
export function textOfPart({ entries, text, name }: PartConfiguration): string {
  if (text !== null && sameJson(parseDocument(text).value, entries)) return text;
  if (!isFinite(entries)) {
    throw new AccountError(
      'unreadable',
      `The configuration of ${name} holds a number that JSON has no word for (NaN, or an infinite one).`,
      'Mend it with the program that wrote it.',
    );
  }
  return textOfEntries(entries);
}

/** Values as text, always the same for the same values. */
export function textOfEntries(entries: JsonObject): string {
  return `${formatJson(inOrder(entries), detectStyle(''), '')}\n`;
}

/** The values of a text; null of a text that is broken, or no object. */
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
