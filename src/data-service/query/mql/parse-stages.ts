import { deserialize } from 'bson';
import { isDocument, type QueryDocument, type QueryStage } from '../query-document.ts';
import { invalidQuery } from '../query-error.ts';
import { plainValue } from './plain-value.ts';

/** Pipelines longer than this are refused; MongoDB takes 1,000. */
const maxStages = 1000;

/**
 * The stages of `mql_binary`: one BSON document, or the JSON text of one, an element.
 * Throws QueryError `invalid-query` naming the element that is neither.
 */
export function parseStages(mqlBinary: readonly Uint8Array[]): QueryStage[] {
  if (mqlBinary.length > maxStages)
    throw invalidQuery(`A pipeline has at most ${maxStages} stages; this one has ${mqlBinary.length}.`);
  return mqlBinary.map((bytes, index) => parseDocument(bytes, `Stage ${index}`));
}

/**
 * One document of the wire, BSON or the JSON text of one, in the types queries work on.
 * Throws QueryError `invalid-query`; `what` names the document in it.
 */
export function parseDocument(bytes: Uint8Array, what: string): QueryDocument {
  const document = plainValue(isBson(bytes) ? parseBson(bytes, what) : parseJson(bytes, what));
  if (!isDocument(document)) throw invalidQuery(`${what} is not a document.`);
  return document;
}

/** A BSON document starts with its own length and ends with a zero byte; JSON text never has one. */
function isBson(bytes: Uint8Array): boolean {
  if (bytes.length < 5 || bytes.at(-1) !== 0) return false;
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true) === bytes.length;
}

function parseBson(bytes: Uint8Array, what: string): unknown {
  try {
    return deserialize(bytes, { bsonRegExp: true });
  } catch (cause) {
    throw invalidQuery(`${what} is not a BSON document: ${(cause as Error).message}.`, cause);
  }
}

function parseJson(bytes: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw invalidQuery(`${what} is neither a BSON document nor JSON text.`, cause);
  }
}
