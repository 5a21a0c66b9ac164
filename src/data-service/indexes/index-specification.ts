import { isDocument, type QueryDocument, type QueryValue } from '../query/query-document.ts';
import { parseDocument } from '../query/mql/parse-stages.ts';
import type { StoredIndex } from '../ports/index-store.ts';
import { invalidArgument } from '../wire/invalid-argument.ts';

export interface IndexSpecification {
  readonly key: StoredIndex['key'];
  readonly name: string;
  /** everything except the name */
  readonly options: QueryDocument;
}

/** MongoDB's bound on the fields of an index. */
const maxFields = 32;
/** Options that affect how an index is built or named, but not what is found with it. */
const harmlessOptions: ReadonlySet<string> = new Set(['name', 'background', 'sparse', 'v']);
/** MongoDB's other options (db.collection.createIndex): accepted only if they are switched off. */
const otherOptions: ReadonlySet<string> = new Set([
  'unique',
  'hidden',
  'expireAfterSeconds',
  'partialFilterExpression',
  'collation',
  'storageEngine',
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  'wildcardProjection',
  '2dsphereIndexVersion',
  'bits',
  'min',
  'max',
  'bucketSize',
]);

/**
 * Reads `index_spec` in the three ways that clients write it: JSON text of the key, perhaps followed by that of the
 * options (the command line); one document `{key|keys, options}` (TypeScript, Flutter); one document that is the key
 * itself (Python).
 * @throws ConnectError InvalidArgument for an index that this service could not keep
 */
export function readIndexSpecification(elements: readonly Uint8Array[]): IndexSpecification {
  if (elements.length === 0 || elements.length > 2)
    throw invalidArgument(`index_spec has ${elements.length} elements; give a key, and options if any.`);
  const [first, second] = elements.map((bytes, index) => parseDocument(bytes, `index_spec[${index}]`));
  const wrapped = first!.keys ?? first!.key;
  const [key, inner] = isDocument(wrapped) ? [wrapped, first!.options] : [first!, undefined];
  const options = second ?? inner ?? {};
  if (!isDocument(options)) throw invalidArgument('The options of index_spec are not a document.');
  const fields = readKey(key);
  return { key: fields, name: readName(options.name, fields), options: readOptions(options) };
}

function readKey(key: QueryDocument): StoredIndex['key'] {
  const fields = Object.entries(key).map(([path, direction]) => {
    if (path === '' || path.startsWith('$') || path.split('.').includes(''))
      throw invalidArgument(`${JSON.stringify(path)} is not a path that an index could be on.`);
    return { path, direction: readDirection(path, direction) };
  });
  if (fields.length === 0 || fields.length > maxFields)
    throw invalidArgument(`The key of index_spec has ${fields.length} fields; give 1 to ${maxFields}.`);
  return fields;
}

function readDirection(path: string, direction: QueryValue): 1 | -1 {
  if (typeof direction === 'number' && direction > 0) return 1;
  if (typeof direction === 'number' && direction < 0) return -1;
  throw invalidArgument(
    `The key of index_spec has ${JSON.stringify(direction)} for ${path}; only 1 (ascending) and -1 (descending) are kept.`,
  );
}

/** MongoDB's name for an index without one: `field_1_other_-1`. */
function readName(name: QueryValue, fields: StoredIndex['key']): string {
  if (name === undefined || name === null) return fields.map(({ path, direction }) => `${path}_${direction}`).join('_');
  if (typeof name !== 'string' || name === '')
    throw invalidArgument('The name in the options of index_spec is not text.');
  return name;
}

/**
 * An option that would change what may be stored or found (unique, …) must not be ignored silently; an option that
 * MongoDB does not know is refused with MongoDB's message, whatever its value.
 */
function readOptions(options: QueryDocument): QueryDocument {
  for (const [option, value] of Object.entries(options)) {
    if (harmlessOptions.has(option)) continue;
    if (!otherOptions.has(option))
      throw invalidArgument(`The field ${JSON.stringify(option)} is not valid for an index; leave it out.`);
    if (value !== false)
      throw invalidArgument(`The option ${option} of index_spec is not supported here; leave it out.`);
  }
  return Object.fromEntries(Object.entries(options).filter(([option, value]) => option !== 'name' && value !== false));
}
