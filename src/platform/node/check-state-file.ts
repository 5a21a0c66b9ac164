import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CheckState, firstCheckState, type KeptCheckState } from '../../data-service/face/stores.ts';
import { replaceFile } from './replace-file.ts';

/** How far the check of a data folder's files has come, in its file `file-check.json`. */
export function checkStateFile(folder: string): KeptCheckState {
  const path = join(folder, 'file-check.json');
  return {
    async read() {
      try {
        return { ...firstCheckState, ...(JSON.parse(await readFile(path, 'utf8')) as Partial<CheckState>) };
      } catch {
        return firstCheckState;
      }
    },
    write: (state) => replaceFile(path, `${JSON.stringify(state)}\n`),
  };
}
