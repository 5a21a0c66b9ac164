/** The text of a file, including a byte order mark, which `file.text()` removes and the machine refuses. */
export async function readConfigFile(file: Blob): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
}
