/** The media type by the first bytes of a picture, otherwise the declared one: the name of a file may be wrong. */
export function mediaTypeOf(bytes: Uint8Array, declared: string): string {
  const starts = (at: number, ...signature: readonly number[]): boolean =>
    signature.every((byte, index) => bytes[at + index] === byte);
  if (starts(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0, 0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0, 0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (starts(0, 0x52, 0x49, 0x46, 0x46) && starts(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  if (starts(0, 0x42, 0x4d)) return 'image/bmp';
  if (starts(4, 0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69)) return 'image/avif';
  return declared || 'application/octet-stream';
}
