import { listEntries } from '../parse/config-entries.ts';
import { isObject, nodeAt, parseDocument, type JsonDocument } from '../json/json-document.ts';
import { diffJson, sameJson, type PatchOperation } from '../json/json-patch.ts';
import { detectStyle, formatJson } from '../json/json-style.ts';
import { writeOut, type ConfigText, type ExportNote, type WriteOut } from '../edit/write-out.ts';

/**
 * Writes the whole configuration. Every character stays, but for what `options` ask for.
 * @param text JSON of the machine configuration
 * @param options how to write it out
 * @returns the text, with notes on what was written and what the machine ignores
 * @example
 * exportWhole('{"components": []}').text; // => '{"components": []}'
 */
export function exportWhole(text: string, options?: WriteOut): ConfigText {
  return writeOut(text, options);
}

/**
 * Writes only the components and services that differ from the imported text, as a configuration of their own. An entry is
 * known by its section and name; entries that were removed do not show (`exportPatch` has them).
 * @param importedText what the text was at first
 * @param text what it is now
 * @param options how to write it out
 * @returns the text, with notes on what was written and what the machine ignores
 * @example
 * const text = (model) => JSON.stringify({ components: [{ name: 'a', model: 'x' }, { name: 'b', model }] });
 * JSON.parse(exportChangedEntries(text('x'), text('y')).text); // => { components: [{ name: 'b', model: 'y' }] }
 */
export function exportChangedEntries(importedText: string, text: string, options?: WriteOut): ConfigText {
  const written = writeOut(text, options);
  const before = parseDocument(importedText);
  const after = parseDocument(written.text);
  const style = detectStyle(written.text);
  const sections = ['components', 'services'].flatMap((section) => {
    const changed = changedIndexes(before, after, section).map((index) => sourceText(after, [section, index]));
    if (changed.length === 0) return [];
    const open = `${style.indentUnit}${JSON.stringify(section)}:${style.gap}[`;
    return [
      [
        open,
        changed.map((entry) => style.indentUnit.repeat(2) + entry).join(`,${style.lineBreak}`),
        `${style.indentUnit}]`,
      ].join(style.lineBreak),
    ];
  });
  const body = sections.join(`,${style.lineBreak}`);
  const whole = sections.length === 0 ? '{}' : ['{', body, '}'].join(style.lineBreak);
  return { text: whole + style.lineBreak, notes: written.notes };
}

export interface ConfigPatch {
  readonly operations: readonly PatchOperation[];
  /** the operations as JSON text */
  readonly text: string;
  readonly notes: readonly ExportNote[];
}

/**
 * Writes the least that must change, as a JSON Patch (RFC 6902). It reaches into the lists of components, services and
 * pipeline steps, which a merge patch (RFC 7386) can only replace as a whole.
 * @param importedText what the text was at first
 * @param text what it is now
 * @param options how to write it out
 * @returns the operations and their text, with notes on what was written and what the machine ignores
 * @example
 * const text = (model) => JSON.stringify({ components: [{ name: 'a', model }] });
 * exportPatch(text('x'), text('y')).operations; // => [{ op: 'replace', path: '/components/0/model', value: 'y' }]
 */
export function exportPatch(importedText: string, text: string, options?: WriteOut): ConfigPatch {
  const written = writeOut(text, options);
  const operations = diffJson(parseDocument(importedText).value, parseDocument(written.text).value);
  const style = detectStyle('');
  return { operations, text: formatJson(operations, style, '') + style.lineBreak, notes: written.notes };
}

/**
 * Names the resources that differ from the imported text.
 * @param importedText what the text was at first
 * @param text what it is now
 * @returns names in the order of the configuration; resources that were removed are not among them
 * @example
 * const text = (model) => JSON.stringify({ components: [{ name: 'a', model: 'x' }, { name: 'b', model }] });
 * changedResources(text('x'), text('y')); // => ['b']
 */
export function changedResources(importedText: string, text: string): readonly string[] {
  const before = parseDocument(importedText);
  const after = parseDocument(text);
  const changed = new Map(
    ['components', 'services'].map((section) => [section, new Set(changedIndexes(before, after, section))]),
  );
  return listEntries(after)
    .filter(({ path: [section, index] }) => changed.get(String(section))?.has(Number(index)))
    .map(({ name }) => name);
}

function changedIndexes(before: JsonDocument, after: JsonDocument, section: string): readonly number[] {
  const old = new Map<unknown, unknown[]>();
  for (const item of sectionItems(before, section)) {
    const named = old.get(nameIn(item));
    if (named) named.push(item);
    else old.set(nameIn(item), [item]);
  }
  return sectionItems(after, section).flatMap((item, index) => {
    const same = old.get(nameIn(item))?.some((candidate) => sameJson(candidate, item));
    return same ? [] : [index];
  });
}

const nameIn = (item: unknown): unknown => (isObject(item) ? item['name'] : undefined);

function sectionItems(document: JsonDocument, section: string): readonly unknown[] {
  const items = isObject(document.value) ? document.value[section] : undefined;
  return Array.isArray(items) ? items : [];
}

function sourceText(document: JsonDocument, path: readonly (string | number)[]): string {
  const node = nodeAt(document.root, path);
  return node ? document.text.slice(node.offset, node.offset + node.length) : '';
}
