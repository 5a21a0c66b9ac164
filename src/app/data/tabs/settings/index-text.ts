import { deserialize } from 'bson';
import { counted, numberText } from '../../../kit/words/figures.ts';

export interface IndexField {
  readonly path: string;
  readonly direction: 1 | -1;
}

const encoder = new TextEncoder();

/** An index as the request needs it: the JSON text of its key, and of its options if it has a name. */
export function indexSpec(fields: readonly IndexField[], name: string): Uint8Array<ArrayBuffer>[] {
  const key = Object.fromEntries(fields.map(({ path, direction }) => [path, direction]));
  const options = name === '' ? {} : { name };
  return [key, options].map((part) => new Uint8Array(encoder.encode(JSON.stringify(part))));
}

/** The key of a listed index as text: "component_name ↑, time_requested ↓". Services send it as JSON text or as BSON. */
export function indexWords(spec: readonly Uint8Array[]): string {
  const [first] = spec;
  if (!first) return '';
  const document = readPart(first);
  const key = (document['key'] ?? document['keys'] ?? document) as Readonly<Record<string, unknown>>;
  return Object.entries(key)
    .map(([path, direction]) => `${path} ${Number(direction) < 0 ? '↓' : '↑'}`)
    .join(', ');
}

/** How far a listed index is that is still being built: "being built: 1,200 of 5,000 rows"; '': it is whole. */
export function buildWords([, , state]: readonly Uint8Array[]): string {
  const building = state && readPart(state)['building'];
  if (!building) return '';
  const { rows, of } = building as { readonly rows?: number; readonly of?: number };
  if (rows === undefined || of === undefined) return 'being built';
  return `being built: ${numberText(rows)} of ${counted(of, 'row')}`;
}

function readPart(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Record<string, unknown>;
  } catch {
    return deserialize(bytes);
  }
}
