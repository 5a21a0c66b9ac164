import { isObject, type JsonDocument } from '../json/json-document.ts';

/**
 * Whether a text shows all of a machine's resources, so that a name that it lacks is missing on the machine too. It does
 * when it has a list of `components` and neither `fragments` nor `remotes` bring others; anything else is a part.
 */
export type Wholeness = { readonly whole: true } | { readonly whole: false; /** why not */ readonly because: string };

/**
 * Tells whether a text shows all of a machine's resources, so that a name that it lacks is missing on the machine too.
 * @param document of the configuration
 * @returns with the reason if it does not
 * @example
 * import { parseDocument } from '../json/json-document.ts';
 * wholenessOf(parseDocument('{"components": []}')); // => { whole: true }
 * wholenessOf(parseDocument('{"components": [], "remotes": [{}]}')).because; // => 'its remotes may bring more'
 */
export function wholenessOf({ value }: JsonDocument): Wholeness {
  if (!isObject(value)) return { whole: false, because: 'the text is not a configuration yet' };
  for (const section of ['fragments', 'remotes']) {
    const list = value[section];
    if (Array.isArray(list) && list.length > 0) return { whole: false, because: `its ${section} may bring more` };
  }
  if (!Array.isArray(value['components'])) return { whole: false, because: 'the text shows no components' };
  return { whole: true };
}
