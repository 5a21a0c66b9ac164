/** A time as people read it: "0.04 ms", "3.2 ms", "142 ms". */
export function msText(ms: number): string {
  const digits = ms >= 100 ? 0 : ms >= 1 ? 1 : 2;
  return `${ms.toFixed(digits)} ms`;
}

/** A part of a whole, of which little is not nothing: "0 %", "< 1 %", "61 %". */
export function shareText(share: number): string {
  const percent = Math.round(100 * share);
  return share > 0 && percent === 0 ? '< 1 %' : `${percent} %`;
}
