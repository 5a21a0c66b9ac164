import { startsAsUtf16 } from '../../../evidence/datasets/face/files.ts';
import type { ConfigState } from './config-state.svelte.ts';

/**
 * Opens a file as the bench's configuration. Its text is kept to the byte, so an export without edits has the same bytes.
 * @returns why the file was not opened; null: it is open, even if its JSON has mistakes
 */
export async function openConfigFile(config: Pick<ConfigState, 'importFile'>, file: File): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isUtf16(bytes)) return 'it is in UTF-16, and the machine reads UTF-8 only: save it as UTF-8';
  const text = decodeUtf8(bytes);
  if (text === null) return 'its text is not in UTF-8, the only encoding that the machine reads: save it as UTF-8';
  return config.importFile(text, file.name) ? null : 'it contains no machine configuration: no service and no camera';
}

/** JSON in UTF-16 without a byte order mark has a zero beside its first character, which is ASCII (RFC 4627, section 3). */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return false;
  const isUnmarked = (first === 0) !== (second === 0) && '{[ \t\r\n'.includes(String.fromCharCode(first + second));
  return startsAsUtf16(bytes) || isUnmarked;
}

/** Text with its byte order mark, because the machine refuses one and the page must say so; null: the bytes are not UTF-8. */
function decodeUtf8(bytes: Uint8Array<ArrayBuffer>): string | null {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
