import { editorActions, type EditorAction, type EditorActionId } from './editor-actions.ts';

/** The keys that a person chose, by action; others have their default. */
export type KeyBindings = Partial<Readonly<Record<EditorActionId, readonly string[]>>>;

/** Two actions that share a key and can be active at the same moment. */
export interface KeyClash {
  readonly chord: string;
  readonly actions: readonly EditorAction[];
}

/** Keys that browsers reserve: a page never receives them. */
const browserKeys: ReadonlySet<string> = new Set([
  'Mod+N',
  'Mod+T',
  'Mod+W',
  'Mod+Shift+N',
  'Mod+Shift+T',
  'Mod+Shift+W',
]);

export function chordsOf(bindings: KeyBindings, { id, chords }: EditorAction): readonly string[] {
  return bindings[id] ?? chords;
}

export function findClashes(bindings: KeyBindings): readonly KeyClash[] {
  const users = new Map<string, EditorAction[]>();
  for (const action of editorActions) {
    for (const chord of new Set(chordsOf(bindings, action))) {
      users.set(chord, [...(users.get(chord) ?? []), action]);
    }
  }
  return [...users].flatMap(([chord, actions]) => {
    const clashing = actions.filter((action) => actions.some((other) => other !== action && meet(action, other)));
    return clashing.length > 0 ? [{ chord, actions: clashing }] : [];
  });
}

/** "selected" and "unselected" exclude each other. */
function meet(a: EditorAction, b: EditorAction): boolean {
  return a.moment === b.moment || a.moment === 'always' || b.moment === 'always';
}

/** Why a chord cannot be used in the editor; '' if it can. */
export function refusalOf(chord: string): string {
  return browserKeys.has(chord) ? 'The browser reserves this key.' : '';
}

/** Reads stored bindings; entries that this version does not know are skipped. */
export function parseBindings(stored: unknown): KeyBindings {
  if (stored === null || typeof stored !== 'object') return {};
  const known = editorActions.flatMap(({ id }) => {
    const chords: unknown = Reflect.get(stored, id);
    return Array.isArray(chords) && chords.every((chord) => typeof chord === 'string') ? [[id, chords]] : [];
  });
  return Object.fromEntries(known) as KeyBindings;
}

/** The bindings with other chords for an action; default chords are not stored. */
export function withChords(bindings: KeyBindings, action: EditorAction, chords: readonly string[]): KeyBindings {
  const { [action.id]: _before, ...others } = bindings;
  const asBefore = chords.length === action.chords.length && chords.every((chord, at) => chord === action.chords[at]);
  return asBefore ? others : { ...others, [action.id]: chords };
}
