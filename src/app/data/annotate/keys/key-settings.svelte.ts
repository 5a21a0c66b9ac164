import { recall, remember, type MemoryPort } from '../../../kit/memory/remembered.ts';
import { isMac, keyCaps } from '../../../kit/keys/key-chord.ts';
import { editorActions, type EditorAction, type EditorActionId } from './editor-actions.ts';
import { chordsOf, findClashes, parseBindings, type KeyBindings } from './key-bindings.ts';

const MEMORY_KEY = 'annotate-keys';

/** A chord as it is printed: "Ctrl + Z", on a Mac "⌘ + Z". */
export function chordText(chord: string): string {
  const mac = isMac();
  return keyCaps(chord, mac).join(' + ');
}

/** The key bindings of the editor, kept in the browser. */
export class KeySettings {
  readonly #memory: MemoryPort;
  bindings = $state.raw<KeyBindings>({});

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = parseBindings(recall(memory, MEMORY_KEY));
    if (findClashes(before).length === 0) this.bindings = before;
  }

  chordsOf(action: EditorAction): readonly string[] {
    return chordsOf(this.bindings, action);
  }

  /** The first key of an action as text: "Ctrl + Z". */
  capsOf(id: EditorActionId): string {
    const action = editorActions.find((one) => one.id === id)!;
    return chordText(this.chordsOf(action)[0]!);
  }

  /** Applies the bindings; false, without any change, if one key would do two things. */
  save(bindings: KeyBindings): boolean {
    if (findClashes(bindings).length > 0) return false;
    this.bindings = bindings;
    remember(this.#memory, MEMORY_KEY, bindings);
    return true;
  }
}
