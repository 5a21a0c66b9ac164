/** 83_450 ms → "1:23.45" */
export function clockText(ms: number): string {
  const hundredths = Math.floor(Math.max(0, ms) / 10);
  const seconds = Math.floor(hundredths / 100);
  const fraction = String(hundredths % 100).padStart(2, '0');
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}.${fraction}`;
}
