/** Where a value stands in a JSON document: property names and list positions from the root. */
export type JsonPath = readonly (string | number)[];

/**
 * Writes a path as a person does.
 * @param path from the root
 * @returns '' for the whole document
 * @example
 * displayPath(['services', 0, 'attributes', 'label_confidences']); // => 'services[0].attributes.label_confidences'
 * displayPath(['a b']); // => '["a b"]'
 */
export function displayPath(path: JsonPath): string {
  let out = '';
  for (const segment of path) {
    if (typeof segment === 'number') out += `[${segment}]`;
    else if (!/^[A-Za-z_][\w-]*$/.test(segment)) out += `[${JSON.stringify(segment)}]`;
    else out += out === '' ? segment : `.${segment}`;
  }
  return out;
}

/** The path as a JSON Pointer (RFC 6901): `/services/0/attributes`. */
export function pointerOf(path: JsonPath): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
