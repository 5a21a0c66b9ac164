import type { ShortcutRegistry } from '../../kit/keys/shortcut-registry.svelte.ts';
import type { ViewState } from '../view/view-state.svelte.ts';

/** What the parts in this folder use of the bench. */
export interface ShortcutsBench {
  readonly shortcuts: ShortcutRegistry;
  readonly view: ViewState;
}
