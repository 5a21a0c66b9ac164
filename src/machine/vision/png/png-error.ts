/** Says why bytes became no picture: they are not what the PNG specification says, or are cut off. */
export class PngError extends Error {
  override readonly name = 'PngError';
}

export function damaged(message: string): PngError {
  return new PngError(message);
}
