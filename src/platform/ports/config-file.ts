/** A configuration file that the machine watches, where the page may write. */
export interface ConfigFile {
  readonly name: string;
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Replaces the whole content: whoever reads meanwhile sees the old one or the new one, never a part. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
}

export interface ConfigFilePort {
  /** false: this browser writes no files in place */
  readonly canWrite: boolean;
  /** Asks a person for the file; null when they think better of it. */
  pick(): Promise<ConfigFile | null>;
}
