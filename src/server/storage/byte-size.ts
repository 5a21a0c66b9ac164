const units = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40 };

/** Reads "500MB", "1.5 TiB" or "1000000" as bytes; null: it is none of them. */
export function parseByteSize(text: string): number | null {
  const [, digits, unit] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text.trim()) ?? [];
  const scale = digits === undefined ? undefined : units[(unit || 'B').toUpperCase() as keyof typeof units];
  return scale === undefined ? null : Math.round(Number(digits) * scale);
}
