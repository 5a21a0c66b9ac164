import type { Page } from 'playwright';

export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  /** '' = no type, as browsers give for unknown extensions */
  readonly mimeType?: string;
  /** time of the last change in ms since 1970, which the data area uses as the capture time */
  readonly changedMs?: number;
}

/** Drops files on the data area, like a person who drags them from a folder. */
export function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  return drop(page, files, 'Drop images, point clouds, tables or any files to import them');
}

/** Like `dropFiles`, on the bench. */
export function dropOnBench(page: Page, files: readonly DroppedFile[]): Promise<void> {
  return drop(page, files, 'Drop images, a folder, a video, an ONNX or TFLite model, or a configuration');
}

async function drop(page: Page, files: readonly DroppedFile[], invitation: string): Promise<void> {
  const sent = files.map(({ name, bytes, mimeType = '', changedMs = 1_780_000_000_000 }) => ({
    name,
    mimeType,
    changedMs,
    base64: Buffer.from(bytes).toString('base64'),
  }));
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, changedMs, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType, lastModified: changedMs }));
    }
    return transfer;
  }, sent);
  await page.dispatchEvent('main', 'dragover', { dataTransfer });
  await page.getByText(invitation).waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer });
}

/** Waits until `count` files are stored, and closes the list of the import. */
export async function importEnded(page: Page, count: number): Promise<void> {
  const tray = page.getByRole('region', { name: 'Import' });
  await tray.getByText(`Import: ${count} stored.`).waitFor();
  await tray.getByRole('button', { name: 'Close the import' }).click();
}
