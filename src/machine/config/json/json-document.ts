import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { offsetBelow } from './json-depth.ts';
import type { JsonPath } from './json-path.ts';

export type JsonNode = Node;
export type JsonObject = { readonly [key: string]: unknown };

/** A JSON text as a tree that remembers positions; what cannot be read is reported and the rest stays usable. */
export interface JsonDocument {
  readonly text: string;
  /** undefined when the text holds no value at all */
  readonly root: JsonNode | undefined;
  readonly value: unknown;
  readonly errors: readonly JsonSyntaxError[];
}

export interface JsonSyntaxError {
  /** jsonc-parser's name of the mistake, such as `CommaExpected`, `NestedTooDeeply` or `ByteOrderMark` */
  readonly code: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads a JSON text. Comments and trailing commas are mistakes, because the machine refuses both; what is around a mistake
 * is read all the same.
 * @param text of any kind
 * @returns the tree, the value and the mistakes; the last few documents are kept, so do not change one
 * @example
 * parseDocument('{"a": [1]}').value; // => { a: [1] }
 * parseDocument('{"a": 1 2}').errors.length > 0; // => true
 */
export function parseDocument(text: string): JsonDocument {
  // An edit, its parse and its lint read the same text hundreds of times; nobody writes into a document.
  const known = latest.find((document) => document.text === text);
  if (known && known === latest[0]) return known;
  const document = known ?? readDocument(text);
  latest = [document, ...latest.filter((other) => other !== document)].slice(0, keptDocuments);
  return document;
}

/** The text before an edit, those that the edit makes, and the imported one, with which they are compared. */
const keptDocuments = 4;
let latest: readonly JsonDocument[] = [];

// No configuration of a machine comes near.
const maxDepth = 500;

function readDocument(text: string): JsonDocument {
  const deep = offsetBelow(text, maxDepth);
  if (deep !== null) {
    return { text, root: undefined, value: undefined, errors: [{ code: 'NestedTooDeeply', offset: deep, length: 1 }] };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: false, disallowComments: true });
  return {
    text,
    root,
    value: root && (getNodeValue(root) as unknown),
    errors: errors.map(({ error, offset, length }) => ({ code: codeOf(error, text[offset], offset), offset, length })),
  };
}

/** At the start of a text, most readers remove a byte order mark; Go's encoding/json refuses it. */
function codeOf(error: ParseError['error'], character: string | undefined, offset: number): string {
  return offset === 0 && character === '\uFEFF' ? 'ByteOrderMark' : printParseErrorCode(error);
}

/** The value's node at a path. Of a key given twice the last one counts, as it does on the machine. */
export function nodeAt(root: JsonNode | undefined, path: JsonPath): JsonNode | undefined {
  let node = root;
  for (const segment of path) {
    if (typeof segment === 'number') node = node?.type === 'array' ? node.children?.[segment] : undefined;
    else node = propertyAt(node, segment)?.children?.[1];
    if (node === undefined) return undefined;
  }
  return node;
}

/** The value at a path; undefined where there is none. */
export function valueAt({ root }: JsonDocument, path: JsonPath): unknown {
  const node = nodeAt(root, path);
  return node && (getNodeValue(node) as unknown);
}

/** The property node (`"key": value`) of an object node, the last one where the key is given twice. */
export function propertyAt(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === key);
}

/**
 * Tells a JSON object from lists, null and plain values.
 * @param value of any kind
 * @returns whether it has keys
 * @example
 * [{}, [], null, 'a'].map(isObject); // => [true, false, false, false]
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
