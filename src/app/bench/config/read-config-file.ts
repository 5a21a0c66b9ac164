/** The text of a file as it stands there, a byte order mark included, which `file.text()` takes out and the machine refuses. */
export async function readConfigFile(file: Blob): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
}
