/** The words of a text that has commas between them, each once. */
export function wordsIn(text: string): string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== '');
}
