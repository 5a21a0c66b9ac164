import { stableHash } from '../stable-hash.ts';
import { splitExtension } from './inner-path.ts';

/** Names that Windows keeps for devices, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/** What Windows reserves, controls and halves of surrogate pairs; white space would split lists of paths. */
const unsafeLetters = /[<>:"/\\|?*\p{Cc}\p{Cs}\p{Z}]/gu;
/** File systems allow 255 bytes; four a letter, and room for a suffix and an extension. */
const longestStemLetters = 48;

/**
 * Gives pictures of an export names that every system takes, no two with the same stem in any case: label files are
 * named after stems. A second picture of a name gets eight digits of its content id's hash behind it.
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

/** Further turns are for pictures that are there twice. */
function digitsOf(contentId: string, attempt: number): string {
  const digits = stableHash(contentId).toString(16).padStart(13, '0').slice(0, 8);
  return attempt === 1 ? digits : `${digits}-${attempt}`;
}

/** The stem without letters that some system refuses; `image` where nothing is left. */
export function safeStem(stem: string): string {
  const letters = [...stem.normalize('NFC').replace(unsafeLetters, '_')];
  const safe = letters
    .slice(0, longestStemLetters)
    .join('')
    .replace(/^[.-]+|\.+$/g, '');
  if (safe === '') return 'image';
  return deviceName.test(safe.split('.')[0]!) ? `_${safe}` : safe;
}
