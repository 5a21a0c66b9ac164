import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';

type MessageField = DescField & { readonly message: DescMessage };

/**
 * Every message of one type within another, with its path. Fields are found through the descriptors, so that none
 * can be forgotten, and only fields that can contain the type are searched.
 */
export function* messagesWithin(
  type: DescMessage,
  message: Message,
  wanted: DescMessage,
  path = '',
): Generator<readonly [path: string, message: Message]> {
  if (type.typeName === wanted.typeName) yield [path, message];
  for (const field of wayTo(type, wanted)) {
    for (const [place, value] of valuesOf(message, field))
      yield* messagesWithin(field.message, value, wanted, `${path === '' ? '' : `${path}.`}${field.name}${place}`);
  }
}

/** The messages of a field, with what their place is called within it. */
function valuesOf(message: Message, field: MessageField): readonly (readonly [string, Message])[] {
  const content = message as unknown as Readonly<Record<string, unknown>>;
  if (field.oneof !== undefined) {
    const chosen = content[field.oneof.localName] as { readonly case?: string; readonly value?: Message };
    return chosen.case === field.localName ? [['', chosen.value!]] : [];
  }
  const value = content[field.localName];
  if (value === undefined) return [];
  if (field.fieldKind === 'message') return [['', value as Message]];
  return Object.entries(value as Readonly<Record<string, Message>>).map(([key, item]) => [`[${key}]`, item]);
}

const ways = new WeakMap<DescMessage, WeakMap<DescMessage, readonly MessageField[]>>();

/** The fields of a type that lead to messages of another type. */
export function wayTo(type: DescMessage, wanted: DescMessage): readonly MessageField[] {
  if (!ways.has(wanted)) ways.set(wanted, new WeakMap());
  const known = ways.get(wanted)!;
  let way = known.get(type);
  if (way === undefined) {
    way = messageFields(type).filter(({ message }) => leadsTo(message, wanted, new Set()));
    known.set(type, way);
  }
  return way;
}

function leadsTo(type: DescMessage, wanted: DescMessage, seen: Set<DescMessage>): boolean {
  if (type.typeName === wanted.typeName) return true;
  if (seen.has(type)) return false; // types may hold themselves
  seen.add(type);
  return messageFields(type).some(({ message }) => leadsTo(message, wanted, seen));
}

const messageFields = (type: DescMessage): readonly MessageField[] =>
  type.fields.filter((field): field is MessageField => field.message !== undefined);
