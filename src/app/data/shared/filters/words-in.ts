/** The words of a comma-separated text, without duplicates. */
export function wordsIn(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== '');
}
