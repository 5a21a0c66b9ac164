import { parseLabels } from '../../../machine/vision/face/results.ts';

/** The labels of a file; null of one that is no text, such as a model that was taken for its labels. */
export async function readLabelFile(file: Blob): Promise<string[] | null> {
  const text = await readLabelText(file);
  return text === null ? null : parseLabels(text);
}

/** The text of a label file; null: it is none. */
export async function readLabelText(file: Blob): Promise<string | null> {
  // The machine keeps a byte order mark as part of the first label; `file.text()` would remove it.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
  return text.includes('\0') ? null : text;
}
