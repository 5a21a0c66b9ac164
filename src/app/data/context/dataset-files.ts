import type { DatasetClient, ExportTarget } from '../../../../workers/datasets/client.ts';

type FileHandle = Extract<ExportTarget, { kind: 'zip-file' }>['file'];
type FolderHandle = Extract<ExportTarget, { kind: 'folder' }>['folder'];

/** The browser's dialogs for files and folders. */
export interface DatasetPickers {
  readonly canPickFolders: boolean;
  /** whether a file can be written piece by piece; otherwise a finished one is downloaded */
  readonly canPickFiles: boolean;
  /** null if the person cancels, here and below */
  pickFolder(mode: 'read' | 'readwrite'): Promise<FolderHandle | null>;
  isEmptyFolder(folder: FolderHandle): Promise<boolean>;
  pickZip(suggestedName: string): Promise<FileHandle | null>;
}

/** Reads and writes datasets as files, and lets a person choose them. */
export interface DatasetFiles {
  readonly engine: DatasetClient;
  readonly pickers: DatasetPickers;
}
