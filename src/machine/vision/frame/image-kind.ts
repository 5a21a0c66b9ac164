const text = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/**
 * Names the format of a file that is neither PNG nor JPEG by its first bytes.
 * @param bytes the file, or its first 1,024 bytes
 * @returns the format in words for a person; null: unknown
 * @example
 * imageKindOf(new TextEncoder().encode('GIF89a')); // => 'GIF'
 * imageKindOf(Uint8Array.of(0, 1, 2, 3)); // => null
 */
export function imageKindOf(bytes: Uint8Array): string | null {
  const start = text(bytes, 0, 4);
  if (start === 'II*\0' || start === 'MM\0*') return 'TIFF';
  if (start === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return 'WebP';
  if (start === 'GIF8') return 'GIF';
  if (start.startsWith('BM')) return 'BMP';
  if (start === '8BPS') return 'Photoshop';
  if (start === '%PDF') return 'PDF';
  if (text(bytes, 4, 8) === 'ftyp') return brandKind(text(bytes, 8, 12));
  return /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/.test(text(bytes, 0, 1024))
    ? 'SVG'
    : null;
}

/** Names the format of an ISO base media file by its brand (ISO/IEC 23008-12, AV1 Image File Format). */
function brandKind(brand: string): string | null {
  if (/^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand)) return 'HEIC';
  return /^avi[fs]$/.test(brand) ? 'AVIF' : null;
}

/**
 * Says why a browser cannot show a picture, in one short sentence that is shown in place of the picture.
 * @param bytes the file
 * @returns the sentence
 * @example
 * whyUndrawn(new Uint8Array()); // => 'The file is empty.'
 * whyUndrawn(new TextEncoder().encode('%PDF-1.7')); // => 'This PDF file is not shown here.'
 */
export function whyUndrawn(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'The file is empty.';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return 'The JPEG is damaged or cut off.';
  if (text(bytes, 1, 4) === 'PNG') return 'The PNG is damaged or cut off.';
  const kind = imageKindOf(bytes);
  return kind ? `This ${kind} file is not shown here.` : 'The file is not a picture.';
}

/**
 * Says why no decoder could read a picture file, and what to do about it.
 * @param bytes the file
 * @returns sentences for a person
 * @example
 * unreadableImage(new Uint8Array()); // => 'The file is empty. Copy or download it again.'
 */
export function unreadableImage(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'The file is empty. Copy or download it again.';
  const kind = imageKindOf(bytes);
  if (kind === 'SVG')
    return 'This is an SVG drawing, which has no pixels of its own. Export it as PNG in the size that a camera would give.';
  if (kind)
    return `This is a ${kind} file, which is not read here. Save it as PNG, which is taken pixel for pixel, or as JPEG.`;
  return 'These bytes are not a picture of a known kind. If it is one, save it as PNG or JPEG.';
}
