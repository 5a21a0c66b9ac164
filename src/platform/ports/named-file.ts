/** A file with its path inside the folder that was dropped or picked. */
export interface NamedFile {
  readonly file: File;
  readonly path: string;
}

/** What a drop or a paste holds. What cannot be read is left out by itself: the other files are read. */
export interface DroppedFiles {
  readonly files: readonly NamedFile[];
  readonly unread: readonly UnreadFile[];
}

export interface UnreadFile {
  /** path of a file, or of a folder whose entries are not known then */
  readonly path: string;
  /** the reason that the browser gives */
  readonly why: string;
}
