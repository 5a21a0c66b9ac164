import { applyEdits } from 'jsonc-parser';
import { nodeAt, parseDocument, propertyAt, type JsonNode } from './json-document.ts';
import { displayPath, type JsonPath } from './json-path.ts';
import { detectStyle, formatJson, indentAt, isOneLine } from './json-style.ts';

/** Replaces `length` characters from `offset` by `content`. Offsets are those of the text before any edit. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

export class EditError extends Error {
  override readonly name = 'EditError';
  readonly code: 'no-such-value' | 'not-finite';
  constructor(code: EditError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  return applyEdits(text, [...edits]);
}

/** Writes a value at a path, making the objects on the way; all other characters of the text stay as they are. */
export function setAt(text: string, path: JsonPath, value: unknown): string {
  return applyTextEdits(text, setEdits(text, path, value));
}

/** Makes an object have these members and no others. Those whose value stays keep every character, and their place. */
export function setMembers(text: string, path: JsonPath, members: Readonly<Record<string, unknown>>): string {
  const object = nodeAt(parseDocument(text).root, path);
  const present = object?.type === 'object' ? (object.children ?? []) : [];
  const isKept = (property: JsonNode | undefined): boolean =>
    property !== undefined && Object.hasOwn(members, keyOf(property));
  const firstKept = present.findIndex(isKept);
  if (!object || firstKept < 0) return setAt(text, path, members);
  const removals = present.flatMap((property, at): TextEdit[] => {
    if (isKept(property)) return [];
    // Each goes with the comma on its side of the first that stays.
    const [from, to] =
      at < firstKept ? [property.offset, present[at + 1]!.offset] : [endOf(present[at - 1]!), endOf(property)];
    return [{ offset: from, length: to - from, content: '' }];
  });
  const known = new Set(present.map(keyOf));
  const changes = Object.entries(members).flatMap(([key, value]) => {
    refuseNonFinite(value, [...path, key]);
    const node = nodeAt(object, [key]);
    return node && node.value !== value ? replaceEdits(text, node, value) : [];
  });
  const added = Object.entries(members).filter(([key]) => !known.has(key));
  const content = added.map(([key, value]) => memberAfter(text, object, key, value)).join('');
  return applyTextEdits(text, [...removals, ...changes, { offset: endOf(present.at(-1)!), length: 0, content }]);
}

/** Removes a property or list item with its comma. A path that leads nowhere leaves the text as it is. */
export function removeAt(text: string, path: JsonPath): string {
  return applyTextEdits(text, removeEdits(text, path));
}

/** Inserts a list item before `index` (its length or more: at the end). EditError where the path leads to no list. */
export function insertAt(text: string, listPath: JsonPath, index: number, value: unknown): string {
  return applyTextEdits(text, insertEdits(text, listPath, index, value));
}

/** Moves a list item; the separators and the line breaks between items stay where they are. */
export function moveItem(text: string, listPath: JsonPath, from: number, to: number): string {
  const items = nodeAt(parseDocument(text).root, listPath)?.children ?? [];
  const order = items.map((_, index) => index);
  const [moved] = order.splice(from, 1);
  if (moved === undefined) throw noSuchValue([...listPath, from]);
  order.splice(to, 0, moved);
  const edits = items.flatMap((slot, position): TextEdit[] => {
    const item = items[order[position] ?? position];
    if (!item || item === slot) return [];
    return [{ offset: slot.offset, length: slot.length, content: sourceOf(text, item) }];
  });
  return applyTextEdits(text, edits);
}

/** Renames a property, keeping its place and value. */
export function renameEdits(text: string, path: JsonPath, key: string): readonly TextEdit[] {
  const last = path.at(-1);
  const property = propertyAt(nodeAt(parseDocument(text).root, path.slice(0, -1)), String(last));
  const name = property?.children?.[0];
  return name ? [{ offset: name.offset, length: name.length, content: JSON.stringify(key) }] : [];
}

/** The edits of `setAt`, for an editor that applies them itself. */
export function setEdits(text: string, path: JsonPath, value: unknown): readonly TextEdit[] {
  refuseNonFinite(value, path);
  const style = detectStyle(text);
  const { root } = parseDocument(text);
  if (!root) return [{ offset: 0, length: text.length, content: formatJson(nest(path, value), style, '') }];
  let node = root;
  for (const [depth, segment] of path.entries()) {
    const next = nodeAt(node, [segment]);
    if (next) {
      node = next;
      continue;
    }
    const rest = nest(path.slice(depth + 1), value);
    if (typeof segment === 'number') return insertEdits(text, path.slice(0, depth), segment, rest);
    if (node.type !== 'object') return replaceEdits(text, node, { [segment]: rest });
    return appendEdits(text, node, rest, segment);
  }
  return replaceEdits(text, node, value);
}

export function removeEdits(text: string, path: JsonPath): readonly TextEdit[] {
  const { root } = parseDocument(text);
  const parent = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  const node = typeof last === 'number' ? parent?.children?.[last] : propertyAt(parent, String(last));
  const siblings = parent?.children ?? [];
  const index = node ? siblings.indexOf(node) : -1;
  if (!parent || !node || last === undefined || index < 0) return [];
  const before = siblings[index - 1];
  const after = siblings[index + 1];
  const from = before ? endOf(before) : after ? node.offset : parent.offset + 1;
  const to = before ? endOf(node) : after ? after.offset : endOf(parent) - 1;
  return [{ offset: from, length: to - from, content: '' }];
}

function insertEdits(text: string, listPath: JsonPath, index: number, value: unknown): readonly TextEdit[] {
  refuseNonFinite(value, listPath);
  const list = nodeAt(parseDocument(text).root, listPath);
  if (!list) return setEdits(text, listPath, [value]);
  if (list.type !== 'array') throw noSuchValue(listPath);
  const follower = list.children?.[index];
  if (!follower) return appendEdits(text, list, value);
  const { separator, content } = placed(text, list, value);
  return [{ offset: follower.offset, length: 0, content: content + separator }];
}

/** After the last child of a list or, with a key, of an object. */
function appendEdits(text: string, parent: JsonNode, value: unknown, key?: string): readonly TextEdit[] {
  const last = parent.children?.at(-1);
  if (!last) {
    const indent = indentAt(text, parent.offset);
    const whole = formatJson(key === undefined ? [value] : { [key]: value }, detectStyle(text), indent);
    return [{ offset: parent.offset, length: parent.length, content: whole }];
  }
  const content = memberAfter(text, parent, key, value);
  return [{ offset: endOf(last), length: 0, content }];
}

/** A value as it stands behind the last child of a list or, with a key, of an object. */
function memberAfter(text: string, parent: JsonNode, key: string | undefined, value: unknown): string {
  const { separator, content } = placed(text, parent, value);
  return separator + (key === undefined ? '' : `${JSON.stringify(key)}:${detectStyle(text).gap}`) + content;
}

const keyOf = (property: JsonNode): string => String(property.children?.[0]?.value);

/** A value formatted as a child of a list or object, and what separates it from its neighbours. */
function placed(text: string, parent: JsonNode, value: unknown): { separator: string; content: string } {
  const style = detectStyle(text);
  const indent = indentAt(text, parent.offset);
  if (isOneLine(text, parent)) return { separator: `,${style.gap}`, content: formatJson(value, style, indent, true) };
  const first = parent.children?.[0];
  const inner = first ? indentAt(text, first.offset) : indent + style.indentUnit;
  const likeSiblings = parent.type === 'array' && first !== undefined && isOneLine(text, first);
  return { separator: `,${style.lineBreak}${inner}`, content: formatJson(value, style, inner, likeSiblings) };
}

function replaceEdits(text: string, node: JsonNode, value: unknown): readonly TextEdit[] {
  const oneLine = isOneLine(text, node) && (node.type === 'array') === Array.isArray(value);
  const content = formatJson(value, detectStyle(text), indentAt(text, node.offset), oneLine);
  return content === sourceOf(text, node) ? [] : [{ offset: node.offset, length: node.length, content }];
}

/** The value inside as many objects and lists as the path has steps. */
function nest(path: JsonPath, value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, segment) => (typeof segment === 'number' ? [inner] : { [segment]: inner }),
    value,
  );
}

function refuseNonFinite(value: unknown, path: JsonPath): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new EditError('not-finite', `JSON has no ${value}; ${displayPath(path)} needs a finite number.`);
  }
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) refuseNonFinite(item, [...path, key]);
  }
}

function noSuchValue(path: JsonPath): EditError {
  return new EditError('no-such-value', `Nothing to edit at ${displayPath(path) || 'the root'}.`);
}

function sourceOf(text: string, node: JsonNode): string {
  return text.slice(node.offset, endOf(node));
}

function endOf(node: JsonNode): number {
  return node.offset + node.length;
}
