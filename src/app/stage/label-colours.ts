// Twelve hues far apart and all light enough for dark text on them, so that a chip reads on any photograph.
const PALETTE = [
  '#4cc9f0',
  '#f9c74f',
  '#90e05a',
  '#ff8fab',
  '#c3a6ff',
  '#ff9f5a',
  '#5eead4',
  '#e2e25c',
  '#8fb8ff',
  '#f5a3ff',
  '#b8e986',
  '#ffb3a0',
] as const;

/** The colour of a label: the same on every frame, every visit and whatever else is in the picture. */
export function labelColour(label: string): string {
  let hash = 2166136261; // FNV-1a, 32 bits
  for (const character of label.toLowerCase()) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
  return PALETTE[(hash >>> 0) % PALETTE.length]!;
}
