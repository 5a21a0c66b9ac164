import { readTextFile } from './load-config.ts';
import type { KeyPlace } from './key-place.ts';

/** An API key with its secret. @throws CliError where the file cannot be read */
export const readKey = async ({ id, filePath }: KeyPlace): Promise<{ id: string; secret: string }> => ({
  id,
  secret: (await readTextFile(filePath, 'key')).trim(),
});
