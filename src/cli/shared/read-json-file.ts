import { CliError } from '../record/cli-error.ts';
import { readTextFile } from './load-config.ts';

/** @throws CliError not-found and the like, bad-json */
export async function readJsonFile(path: string, what: string): Promise<unknown> {
  const text = await readTextFile(path, what);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError('bad-json', `"${path}" is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}
