import { recall, remember, type MemoryPort } from '../view/remembered.ts';
import type { EditorAction } from './editor-actions.ts';
import { chordsOf, findClashes, parseBindings, type KeyBindings } from './key-bindings.ts';

const MEMORY_KEY = 'annotate-keys';

/** The keys of the editor as someone likes them, remembered. */
export class KeySettings {
  readonly #memory: MemoryPort;
  #bindings = $state.raw<KeyBindings>({});

  constructor(memory: MemoryPort) {
    this.#memory = memory;
    const before = parseBindings(recall(memory, MEMORY_KEY));
    if (findClashes(before).length === 0) this.#bindings = before;
  }

  get bindings(): KeyBindings {
    return this.#bindings;
  }

  chordsOf(action: EditorAction): readonly string[] {
    return chordsOf(this.#bindings, action);
  }

  /** Takes them into use; false, and nothing changes, where one key would do two things. */
  save(bindings: KeyBindings): boolean {
    if (findClashes(bindings).length > 0) return false;
    this.#bindings = bindings;
    remember(this.#memory, MEMORY_KEY, bindings);
    return true;
  }
}
