/** A key with its modifiers, as written in the registry: "Mod+Shift+Z", "ArrowLeft", "?". Mod is Ctrl, or ⌘ on a Mac. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Whether a key press is this chord. Shift counts only for letters and named keys: "?" is "?" on every layout. */
export function matchesChord(chord: string, press: KeyPress): boolean {
  const parts = chord.split('+');
  const key = parts.pop() ?? '';
  const wants = (modifier: string): boolean => parts.includes(modifier);
  if (wants('Mod') !== (press.ctrlKey || press.metaKey)) return false;
  if (wants('Alt') !== press.altKey) return false;
  // Pressing Shift alone sets shiftKey too.
  if (key === 'Shift') return press.key === 'Shift';
  if (shiftMatters(key) && wants('Shift') !== press.shiftKey) return false;
  return press.key.toLowerCase() === (SPELT_OUT[key] ?? key).toLowerCase();
}

/** Keys whose character has another meaning within a chord, and are therefore written by name. */
const SPELT_OUT: Readonly<Record<string, string>> = { Space: ' ', Plus: '+' };

const shiftMatters = (key: string): boolean =>
  key !== 'Plus' && (key.length > 1 || key.toLowerCase() !== key.toUpperCase());

/** The chord of a key press in the registry's notation; null for a modifier alone. */
export function chordOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  if (['Control', 'Meta', 'Alt', 'AltGraph', 'Shift', 'Dead', 'Unidentified', 'Process'].includes(key)) return null;
  const speltOut = Object.keys(SPELT_OUT).find((name) => SPELT_OUT[name] === key);
  const name = speltOut ?? (key.length === 1 ? key.toUpperCase() : key);
  const modifiers = [(ctrlKey || metaKey) && 'Mod', altKey && 'Alt', shiftKey && shiftMatters(name) && 'Shift'];
  return [...modifiers.filter(Boolean), name].join('+');
}

const KEY_CAPS: Readonly<Record<string, string>> = {
  Plus: '+',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Delete: 'Del',
};

/** Whether keys are written as on a Mac; false outside a browser. */
export const isMac = (): boolean => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The labels printed on a chord's keys: "Mod+Shift+Z" → Ctrl, Shift, Z. */
export function keyCaps(chord: string, mac: boolean): string[] {
  return chord.split('+').map((part) => {
    if (part === 'Mod') return mac ? '⌘' : 'Ctrl';
    if (part === 'Alt') return mac ? '⌥' : 'Alt';
    return KEY_CAPS[part] ?? part;
  });
}
