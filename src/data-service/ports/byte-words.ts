const units = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/**
 * Says a number of bytes in words, as disks are sold and shown.
 * @param bytes at least 0
 * @returns a number with its unit, powers of 1000
 * @example
 * byteWords(1_500_000_000); // => '1.5 GB'
 * byteWords(820_000_000); // => '820 MB'
 */
export function byteWords(bytes: number): string {
  const [unit, scale] = units.find(([, least]) => bytes >= least) ?? ['B', 1];
  const value = bytes / scale;
  return `${Number(value.toFixed(value < 10 && scale > 1 ? 1 : 0))} ${unit}`;
}
