/**
 * Writes bytes in hexadecimal.
 * @param bytes any number of them
 * @returns two lower-case digits for each
 * @example
 * hex(Uint8Array.of(0, 171)); // => '00ab'
 */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
