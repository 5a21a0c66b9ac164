import { labelFileText } from '../../../machine/vision/face/results.ts';
import { saveFile } from '../../kit/layout/save-file.ts';

/** Hands a label file to the person at the page, as the machine reads it. */
export function saveLabels(fileName: string, labels: readonly string[]): void {
  saveFile(fileName, new Blob([labelFileText(labels)], { type: 'text/plain' }));
}
