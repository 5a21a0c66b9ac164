export type BackupErrorCode = 'no-backup' | 'newer-backup' | 'damaged-backup' | 'no-data' | 'not-empty';

/** Why data was not backed up or restored; nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly code: BackupErrorCode;
  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
