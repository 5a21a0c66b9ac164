import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { CliError, reportOf } from '../record/cli-error.ts';

/** The hash of bytes, or of a text, in hex. */
export const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

/** The hash of a file's bytes, in hex, of which a piece is in memory at a time. @throws CliError */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (cause) {
    const { code, message } = reportOf(cause);
    throw new CliError(code, message, { cause });
  }
  return hash.digest('hex');
}
