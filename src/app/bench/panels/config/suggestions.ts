import { getLocation } from 'jsonc-parser';
import {
  type AttributeSchema,
  attributeSchemaAt,
  findEntry,
  listEntries,
  missingAttributes,
  valueSuggestions,
} from '../../../../machine/config/face/machine-config.ts';
import { type JsonPath, parseDocument } from '../../../../machine/config/face/json.ts';
import type { LintFacts, ServiceFacts } from '../../../../machine/config/face/lint.ts';

export interface Suggestion {
  /** the name shown in the list */
  readonly name: string;
  /** the text that replaces the characters from `from` to `to` */
  readonly insert: string;
  readonly detail: string;
  readonly doc: string;
}

export interface Suggestions {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Suggestion[];
}

const roles = {
  remap_input_names: ['image'],
  remap_output_names: ['location', 'category', 'score', 'probability'],
} as const;

/** What may be written at a position: attribute keys, names of resources and tensors, labels, values worth offering. */
export function suggestionsAt(text: string, offset: number, facts: LintFacts): Suggestions | null {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const inside = previousNode && offset > previousNode.offset && offset <= previousNode.offset + previousNode.length;
  const written = /["\w.-]*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const from = inside ? previousNode.offset : offset - written.length;
  const to = inside ? previousNode.offset + previousNode.length : offset;
  const parent = path.slice(0, -1);
  const items = isAtPropertyKey
    ? keysAt(text, parent, facts).map((item) => asProperty(item, text, to))
    : valuesAt(text, path, facts);
  return items.length > 0 ? { from, to, items } : null;
}

/** What an attribute is, for a tooltip: with the range of the key or value that the position lies on. */
export function describeAt(text: string, offset: number): { schema: AttributeSchema; from: number; to: number } | null {
  const { path, previousNode } = getLocation(text, offset);
  if (!previousNode || offset < previousNode.offset || offset > previousNode.offset + previousNode.length) return null;
  const schema = attributeSchemaAt(parseDocument(text), path);
  return schema ? { schema, from: previousNode.offset, to: previousNode.offset + previousNode.length } : null;
}

interface Key {
  readonly key: string;
  readonly value: unknown;
  readonly detail: string;
  readonly doc: string;
}

function keysAt(text: string, parent: JsonPath, facts: LintFacts): readonly Key[] {
  const attribute = String(parent.at(-1)).toLowerCase();
  const service = factsAt(text, parent, facts);
  const plain = (keys: readonly string[], value: unknown, detail: string): readonly Key[] =>
    keys.map((key) => ({ key, value, detail, doc: '' }));
  if (attribute === 'label_confidences') return plain(labelsOf(service), 0.5, 'label');
  if (attribute === 'remap_output_names') {
    const tensors = (service?.outputs ?? []).map(({ name }) => name);
    return plain(tensors, 'location', "model's output");
  }
  if (attribute === 'remap_input_names') {
    return plain(
      (service?.inputs ?? []).map(({ name }) => name),
      'image',
      "model's input",
    );
  }
  return missingAttributes(parseDocument(text), parent).map(({ key, type, examples, doc, absent }) => ({
    key,
    value: examples[0],
    detail: type,
    doc: `${doc} Absent: ${absent}.`,
  }));
}

function valuesAt(text: string, path: JsonPath, facts: LintFacts): readonly Suggestion[] {
  const parent = String(path.at(-2)).toLowerCase();
  const value = (suggested: unknown, detail = ''): Suggestion => {
    const name = typeof suggested === 'string' ? suggested : JSON.stringify(suggested);
    return { name, insert: JSON.stringify(suggested), detail, doc: '' };
  };
  if (parent === 'remap_input_names' || parent === 'remap_output_names') {
    return roles[parent].map((role) => value(role, 'what the machine reads'));
  }
  if (parent === 'valid_labels') {
    const labels = Object.values(facts).flatMap((service) => labelsOf(service));
    return [...new Set(labels)].map((label) => value(label, 'label'));
  }
  return valueSuggestions(text, path)
    .filter((suggested) => suggested !== '')
    .map((suggested) => value(suggested));
}

function asProperty({ key, value, detail, doc }: Key, text: string, to: number): Suggestion {
  const rest = text.slice(to).trimStart();
  const name = JSON.stringify(key);
  const comma = rest.startsWith('"') ? ',' : '';
  const insert = rest.startsWith(':') ? name : `${name}: ${JSON.stringify(value)}${comma}`;
  return { name: key, insert, detail, doc };
}

/** What the bench knows of the service that a path lies in. */
function factsAt(text: string, path: JsonPath, facts: LintFacts): ServiceFacts | undefined {
  const entries = listEntries(parseDocument(text));
  const own = entries.find(({ path: at }) => at.every((segment, index) => segment === path[index]));
  const service = own && findEntry(entries, own.name, 'mlmodel-vision');
  return service && facts[service.name];
}

function labelsOf(service: ServiceFacts | undefined): readonly string[] {
  return [...new Set([...(service?.labelsSeen ?? []), ...(service?.labels ?? [])])];
}
