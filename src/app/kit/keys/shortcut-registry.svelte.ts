import { untrack } from 'svelte';
import { matchesChord, type KeyPress } from './key-chord.ts';

export interface Shortcut {
  /** alternatives; the help lists them all */
  readonly chords: readonly string[];
  /** what the help shows instead of the chords, where there are too many */
  readonly caps?: readonly string[];
  readonly does: string;
  readonly group: ShortcutGroup;
  /** The areas of the app in which the shortcut works; absent: the first area. `both`: everywhere. */
  readonly area?: string | readonly string[];
  /**
   * While any exclusive shortcut is registered, only exclusive shortcuts and those of both areas work: for a screen
   * that takes over the keyboard.
   */
  readonly exclusive?: boolean;
  /** The shortcut is inactive while this returns false; the key then keeps its usual effect. */
  readonly enabled?: () => boolean;
  readonly run: (press: KeyPress) => void;
  /** Called on release, for keys that act while they are held. */
  readonly release?: () => void;
  /** Called repeatedly while the key is held down. */
  readonly repeats?: boolean;
}

export type ShortcutGroup = 'Frames' | 'Stage' | 'Tuning' | 'Data' | 'Window';

export const shortcutGroups: readonly ShortcutGroup[] = ['Frames', 'Stage', 'Tuning', 'Data', 'Window'];

/** All shortcuts of the app in one list, so that the keyboard and the help cannot differ. */
export class ShortcutRegistry {
  #shortcuts = $state.raw<readonly Shortcut[]>([]);
  #held: readonly Shortcut[] = [];
  readonly #area: () => string;

  /** `area` returns the visible area. */
  constructor(area: () => string = () => 'bench') {
    this.#area = area;
  }

  /** The shortcuts of the visible area; exclusive ones come first. */
  get shortcuts(): readonly Shortcut[] {
    const here = this.#area();
    const present = this.#shortcuts.filter(({ area = 'bench' }) => area === 'both' || [area].flat().includes(here));
    const exclusive = present.filter((shortcut) => shortcut.exclusive);
    if (exclusive.length === 0) return present;
    return [...exclusive, ...present.filter((shortcut) => shortcut.area === 'both' && !shortcut.exclusive)];
  }

  /** Adds shortcuts; returns the function that removes them. */
  register(...shortcuts: readonly Shortcut[]): () => void {
    const present = (): readonly Shortcut[] => untrack(() => this.#shortcuts);
    this.#shortcuts = [...present(), ...shortcuts];
    return () => {
      this.#shortcuts = present().filter((shortcut) => !shortcuts.includes(shortcut));
    };
  }

  /**
   * Listens for keys until the returned function is called. When the window loses focus, held keys count as
   * released.
   */
  listen(target: Window): () => void {
    const keyDown = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && this.press(event, event.repeat, keyUse(event))) event.preventDefault();
    };
    const keyUp = (event: KeyboardEvent): void => this.release(event);
    const blur = (): void => this.releaseAll();
    target.addEventListener('keydown', keyDown);
    target.addEventListener('keyup', keyUp);
    target.addEventListener('blur', blur);
    return () => {
      target.removeEventListener('keydown', keyDown);
      target.removeEventListener('keyup', keyUp);
      target.removeEventListener('blur', blur);
    };
  }

  /**
   * Runs the first shortcut that matches the key press; false: none matches, or the focused element uses the key
   * itself.
   */
  press(press: KeyPress, repeated: boolean, focus: KeyUse = 'none'): boolean {
    const shortcut = this.shortcuts.find(
      (candidate) =>
        (candidate.enabled?.() ?? true) &&
        candidate.chords.some((chord) => matchesChord(chord, press) && !usedBy[focus].test(chord)),
    );
    if (!shortcut) return false;
    if (repeated && !shortcut.repeats) return true;
    if (shortcut.release) this.#held = [...this.#held, shortcut];
    shortcut.run(press);
    return true;
  }

  release(press: KeyPress): void {
    for (const shortcut of this.#held) {
      const isKey = shortcut.chords.some((chord) => chord.split('+').at(-1)?.toLowerCase() === press.key.toLowerCase());
      if (isKey) this.#release(shortcut);
    }
  }

  releaseAll(): void {
    for (const shortcut of this.#held) this.#release(shortcut);
  }

  #release(shortcut: Shortcut): void {
    this.#held = this.#held.filter((held) => held !== shortcut);
    shortcut.release?.();
  }
}

/** What has the focus: which chords it uses itself. */
export type KeyUse = keyof typeof usedBy;

const usedBy = {
  none: /^$/,
  // A button that was clicked keeps the focus: arrows go on stepping through the frames.
  button: /^(Space|Enter)$/,
  control: /^(Arrow\w+|Space|Enter|Home|End|Page\w+)$/,
  // What was typed there is committed: undo and redo are no longer those of the text.
  settled: /^(?!Mod\+.*[ZY]$)/,
  text: /./,
} as const;

const notTyped = new Set(['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'color', 'file', 'image']);

function keyUse(event: KeyboardEvent): KeyUse {
  // Outside of a shadow root, `target` is the shadow host; the composed path starts at the real target.
  const element = event.composedPath()[0];
  if (!(element instanceof HTMLElement)) return 'none';
  if (element.isContentEditable || element instanceof HTMLTextAreaElement) return 'text';
  if (element instanceof HTMLInputElement) {
    if (notTyped.has(element.type)) return 'control';
    return element.type === 'number' && element.value === element.defaultValue ? 'settled' : 'text';
  }
  if (element.closest('select,[role=slider],[role=tab],[role=option],[role=menuitem],[data-keys]')) return 'control';
  return element.closest('a[href],button,summary') ? 'button' : 'none';
}
