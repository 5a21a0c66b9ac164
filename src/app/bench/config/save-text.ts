import { saveFile } from '../../kit/layout/save-file.ts';

/** Hands a text to the person at the page as a file of that name. */
export function saveText(fileName: string, text: string): void {
  saveFile(fileName, new Blob([text], { type: 'application/json' }));
}
