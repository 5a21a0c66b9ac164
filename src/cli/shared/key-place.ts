import { option, together } from '../record/field.ts';
import { UsageError } from '../record/usage-error.ts';

/** An API key: its id, and the file with the key alone, which other users of the machine need not be able to read. */
export interface KeyPlace {
  readonly id: string;
  readonly filePath: string;
}

/** The key that a command is given; null: none. */
export const keyPlace = together(
  {
    id: option('--key-id ID', 'id of an API key'),
    filePath: option('--key-file FILE', 'file that holds the key alone'),
  },
  ({ id, filePath }): KeyPlace | null => {
    if ((id === null) !== (filePath === null))
      throw new UsageError(
        'A key is given by two options: --key-id ID and --key-file FILE, a file that holds the key alone.',
      );
    return id !== null && filePath !== null ? { id, filePath } : null;
  },
);
