import { invalidArgument } from './invalid-argument.ts';

// Clients write files under the names that they are given: the API's own command line keeps the directories of a name, and readers of an
// export append a file's extension to a path. So a name leads nowhere but below the folder that its reader chose.

const controlCharacters = /\p{Cc}/gu;
const extensionPattern = /^(\.[\w+~-]{1,16}){1,3}$/;
const separators = /[\\/]/;

const stepsUp = (name: string): boolean => name.split(separators).some((part) => part.trim() === '..');

/**
 * A file's name as an upload gives it. Absolute paths are taken, which machines send; what they are given out as is `safeFileName`.
 * @throws ConnectError InvalidArgument for a name with `..` as a part of it or with control characters
 */
export function checkedFileName(name: string): string {
  if (stepsUp(name))
    throw invalidArgument(`file_name is ${shown(name)}: a part of it is "..". Give the file's own name.`);
  if (name.search(controlCharacters) >= 0)
    throw invalidArgument(`file_name is ${shown(name)}: it has control characters. Leave them out.`);
  return name;
}

/**
 * A file's extension with its dot, or ''.
 * @throws ConnectError InvalidArgument for any but up to three of a dot and 16 letters, digits, `_`, `+`, `~`, `-`
 */
export function checkedExtension(extension: string): string {
  if (extension === '' || extensionPattern.test(extension)) return extension;
  throw invalidArgument(
    `file_extension is ${shown(extension)}; give a dot and up to 16 letters or digits, such as ".png".`,
  );
}

/** A stored name as it is given out: a path below whatever folder it is written to, with `/` between its parts. '' where nothing is left. */
export function safeFileName(name: string): string {
  const parts = name
    .replace(controlCharacters, '')
    .replace(/^[A-Za-z]:(?=[\\/])/, '')
    .split(separators);
  return parts.filter((part) => !['', '.', '..'].includes(part.trim())).join('/');
}

/** A stored extension as it is given out; '' for one that no upload may bring any more. */
export const safeExtension = (extension: string): string => (extensionPattern.test(extension) ? extension : '');

const shown = (value: string): string => JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
