import type { OptionValues } from './parse-options.ts';
import { UsageError } from './usage.ts';

/** An API key: its id, and the file with the key alone, which other users of the machine need not be able to read. */
export interface KeyPlace {
  readonly id: string;
  readonly filePath: string;
}

export const keyOptions = ['key-id', 'key-file'];

/** The key that a command is given; null: none. @throws UsageError */
export function parseKey(values: OptionValues): KeyPlace | null {
  const [id, filePath] = [values.one('key-id'), values.one('key-file')];
  if ((id === null) !== (filePath === null)) {
    throw new UsageError(
      'A key is given by two options: --key-id ID and --key-file FILE, a file that holds the key alone.',
    );
  }
  return id !== null && filePath !== null ? { id, filePath } : null;
}
