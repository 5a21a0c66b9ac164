import type { ByteRange } from '../ports/blob-store.ts';

/**
 * Which bytes of a file a `Range` header requests (RFC 9110, section 14): one range; 'whole' if there is none, or
 * several, or an invalid one; 'unsatisfiable' if it starts beyond the end.
 */
export function requestedRange(header: string | null, sizeBytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '');
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? ''];
  if (first === '' && last === '') return 'whole';
  if (first === '') return suffix(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  // A range that ends before it begins is invalid and ignored.
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= sizeBytes ? 'unsatisfiable' : { start, end };
}

const suffix = (lengthBytes: number, sizeBytes: number): ByteRange | 'unsatisfiable' =>
  lengthBytes === 0 || sizeBytes === 0
    ? 'unsatisfiable'
    : { start: Math.max(0, sizeBytes - lengthBytes), end: sizeBytes };
