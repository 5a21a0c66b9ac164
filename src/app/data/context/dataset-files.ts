import type { DatasetClient, ExportTarget } from '../../../../workers/datasets/client.ts';

type FileHandle = Extract<ExportTarget, { kind: 'zip-file' }>['file'];
type FolderHandle = Extract<ExportTarget, { kind: 'folder' }>['folder'];

/** How a person gives files and folders, and takes them. */
export interface DatasetPickers {
  readonly canPickFolders: boolean;
  /** whether a file can be written as it grows; elsewhere a finished one is downloaded */
  readonly canPickFiles: boolean;
  /** null when the person thinks better of it, here and below */
  pickFolder(mode: 'read' | 'readwrite'): Promise<FolderHandle | null>;
  isEmptyFolder(folder: FolderHandle): Promise<boolean>;
  pickZip(suggestedName: string): Promise<FileHandle | null>;
}

/** Datasets as files: what reads and writes them, and how they are chosen. */
export interface DatasetFiles {
  readonly engine: DatasetClient;
  readonly pickers: DatasetPickers;
}
