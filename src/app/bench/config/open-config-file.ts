import type { ConfigState } from './config-state.svelte.ts';

/**
 * Opens a file as the bench's configuration: its very text, so that an export without edits has its bytes.
 * @returns why it was left aside; null: it is open, though it may have mistakes to be mended
 */
export async function openConfigFile(config: Pick<ConfigState, 'importFile'>, file: File): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isUtf16(bytes)) return 'it is in UTF-16, and the machine reads UTF-8 only: save it as UTF-8';
  const text = decodeUtf8(bytes);
  if (text === null)
    return 'it is text in another encoding than UTF-8, the only one that the machine reads: save it as UTF-8';
  return config.importFile(text, file.name) ? null : 'it holds no machine configuration, no service and no camera';
}

/** By its byte order mark, or by the zero beside the first character of JSON, which is one of ASCII (RFC 4627, section 3). */
function isUtf16([first, second]: Uint8Array): boolean {
  if (first === undefined || second === undefined) return false;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || ((first === 0) !== (second === 0) && '{[ \t\r\n'.includes(String.fromCharCode(first + second)));
}

/** With a byte order mark, which the machine refuses as well; null: the bytes are not UTF-8. */
function decodeUtf8(bytes: Uint8Array<ArrayBuffer>): string | null {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
