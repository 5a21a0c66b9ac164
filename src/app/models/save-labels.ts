import { saveFile } from '../ui/save-file.ts';

/** Hands a label file to the person at the page, as the machine reads it: one label a line. */
export function saveLabels(fileName: string, labels: readonly string[]): void {
  saveFile(
    fileName,
    new Blob(
      labels.map((label) => `${label}\n`),
      { type: 'text/plain' },
    ),
  );
}
