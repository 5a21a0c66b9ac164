import { parseLabels } from '../../../vision/decode/labels.ts';

/** The labels of a file; null of one that is no text, such as a model that was taken for its labels. */
export async function readLabelFile(file: Blob): Promise<string[] | null> {
  const text = await file.text();
  return text.includes('\0') ? null : parseLabels(text);
}
