/** A file with its path inside the folder that was dropped or picked. */
export interface NamedFile {
  readonly file: File;
  readonly path: string;
}
