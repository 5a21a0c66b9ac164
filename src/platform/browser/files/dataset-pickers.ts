import { canPickFolders, isEmptyFolder, pickFolder } from './dataset-folder.ts';

/** Chromium's; elsewhere a download is the way to save. */
interface SavePicker {
  showSaveFilePicker(options: {
    suggestedName: string;
    id: string;
    types: readonly { description: string; accept: Record<string, string[]> }[];
  }): Promise<FileSystemFileHandle>;
}

/** How datasets get in and out of the browser, as a person chooses. */
export const datasetPickers = {
  canPickFolders: canPickFolders(),
  canPickFiles: 'showSaveFilePicker' in globalThis,
  pickFolder,
  isEmptyFolder,
  /** Asks for a zip file to write, after a click; null when the user thinks better of it. */
  async pickZip(suggestedName: string): Promise<FileSystemFileHandle | null> {
    try {
      return await (globalThis as unknown as SavePicker).showSaveFilePicker({
        suggestedName,
        id: 'dataset',
        types: [{ description: 'Zip archive', accept: { 'application/zip': ['.zip'] } }],
      });
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return null;
      throw error;
    }
  },
};
