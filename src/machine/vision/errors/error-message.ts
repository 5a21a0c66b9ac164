/** The message of whatever was thrown, an Error or not. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of an error that has one, `none` of any other. */
export const errorCode = (error: unknown, none = ''): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : none;
