export class ShareError extends Error {
  override readonly name = 'ShareError';
  readonly code: 'not-json' | 'unknown-version' | 'damaged' | 'too-large';
  constructor(code: ShareError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
