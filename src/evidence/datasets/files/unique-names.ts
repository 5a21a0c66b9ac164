import { stableHash } from '../item/stable-hash.ts';
import { splitExtension } from '../item/inner-path.ts';

/** Names that Windows reserves for devices, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/** Characters that Windows reserves, control characters, lone surrogates, and white space, which would split lists of paths. */
const unsafeLetters = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Z}]/gu;
/** File systems allow 255 bytes: at four bytes a character this leaves room for a suffix and an extension. */
const longestStemLetters = 48;

/**
 * Gives the pictures of an export file names that are valid on every system. Stems are unique even if case is ignored,
 * because label files are named by stem. If a name is taken, eight digits of the content id's hash are appended.
 */
export class UniqueNames {
  readonly #taken = new Set<string>();

  /** @param extension with its dot */
  take(fileName: string, extension: string, contentId: string): string {
    const stem = safeStem(splitExtension(fileName)[0]);
    for (let attempt = 0; ; attempt++) {
      const name = attempt === 0 ? stem : `${stem}-${digitsOf(contentId, attempt)}`;
      const key = name.toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return name + extension;
    }
  }
}

/** Eight digits for a name. `attempt` gives others if a picture with the same content id has taken them. */
function digitsOf(contentId: string, attempt: number): string {
  const digits = stableHash(contentId).toString(16).padStart(13, '0').slice(0, 8);
  return attempt === 1 ? digits : `${digits}-${attempt}`;
}

/** The stem without characters that some system refuses; `image` if nothing is left. */
export function safeStem(stem: string): string {
  const letters = [...stem.normalize('NFC').replace(unsafeLetters, '_')];
  const safe = letters
    .slice(0, longestStemLetters)
    .join('')
    .replace(/^[.-]+|\.+$/g, '');
  if (safe === '') return 'image';
  return deviceName.test(safe.split('.')[0]!) ? `_${safe}` : safe;
}
