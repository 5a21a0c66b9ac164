import { untrack } from 'svelte';
import { matchesChord, type KeyPress } from './key-chord.ts';

export interface Shortcut {
  /** any of these; the help lists them all */
  readonly chords: readonly string[];
  /** what the help prints instead, where one by one they would be too many */
  readonly caps?: readonly string[];
  readonly does: string;
  readonly group: ShortcutGroup;
  /** The area of the app where it works; left out: the first one. `both`: everywhere. */
  readonly area?: string;
  /** While any such is there, only such ones act, and those of both areas: a screen that takes the keyboard over. */
  readonly exclusive?: boolean;
  /** Not called while it says false; the key then keeps its usual meaning. */
  readonly enabled?: () => boolean;
  readonly run: (press: KeyPress) => void;
  /** For keys that act while they are held. */
  readonly release?: () => void;
  /** Repeats while the key is held down. */
  readonly repeats?: boolean;
}

export type ShortcutGroup = 'Frames' | 'Stage' | 'Tuning' | 'Data' | 'Window';

export const shortcutGroups: readonly ShortcutGroup[] = ['Frames', 'Stage', 'Tuning', 'Data', 'Window'];

/** Every key of the app, in one list: what the keyboard does and what the help shows cannot drift apart. */
export class ShortcutRegistry {
  #shortcuts = $state.raw<readonly Shortcut[]>([]);
  #held: readonly Shortcut[] = [];
  readonly #area: () => string;

  /** `area`: the area on show now. */
  constructor(area: () => string = () => 'bench') {
    this.#area = area;
  }

  /** Those of the area one is in; what took the keyboard over comes first. */
  get shortcuts(): readonly Shortcut[] {
    const here = this.#area();
    const present = this.#shortcuts.filter(({ area = 'bench' }) => area === here || area === 'both');
    const exclusive = present.filter((shortcut) => shortcut.exclusive);
    if (exclusive.length === 0) return present;
    return [...exclusive, ...present.filter((shortcut) => shortcut.area === 'both' && !shortcut.exclusive)];
  }

  /** Adds shortcuts, from an effect or elsewhere; returns the function that takes them out again. */
  register(...shortcuts: readonly Shortcut[]): () => void {
    const present = (): readonly Shortcut[] => untrack(() => this.#shortcuts);
    this.#shortcuts = [...present(), ...shortcuts];
    return () => {
      this.#shortcuts = present().filter((shortcut) => !shortcuts.includes(shortcut));
    };
  }

  /** Listens until the returned function is called. Keys held while the window loses focus are released. */
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

  /** Runs the first shortcut that the press matches; false when there is none, or when the focus keeps the key. */
  press(press: KeyPress, repeated: boolean, focus: KeyUse = 'none'): boolean {
    if (focus === 'text') return false;
    const shortcut = this.shortcuts.find(
      (candidate) =>
        (candidate.enabled?.() ?? true) &&
        candidate.chords.some((chord) => matchesChord(chord, press) && !(focus === 'control' && usedByControls(chord))),
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

/** What the focused element does with keys itself: types them, or steps with arrows and presses with space. */
export type KeyUse = 'none' | 'control' | 'text';

const usedByControls = (chord: string): boolean => /^(Arrow\w+|Space|Enter|Home|End|Page\w+)$/.test(chord);

const notTyped = new Set(['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'color', 'file', 'image']);

function keyUse(event: KeyboardEvent): KeyUse {
  // The target is retargeted to a shadow host; the path starts at the real one.
  const element = event.composedPath()[0];
  if (!(element instanceof HTMLElement)) return 'none';
  if (element.isContentEditable || element instanceof HTMLTextAreaElement) return 'text';
  if (element instanceof HTMLInputElement) return notTyped.has(element.type) ? 'control' : 'text';
  const interactive =
    'a[href],button,select,summary,[role=slider],[role=tab],[role=option],[role=menuitem],[data-keys]';
  return element.closest(interactive) ? 'control' : 'none';
}
