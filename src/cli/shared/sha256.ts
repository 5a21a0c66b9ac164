import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The hash of a file's bytes, in hex. */
export const sha256 = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
