/**
 * The text of a label file that the machine reads back as these labels, one a line. It skips blank lines, so a class without a
 * name gets its number; and it splits a file of one line at commas, else at spaces, so a single label loses those.
 */
export function labelFileText(labels: readonly string[]): string {
  const lines = labels.map((label, category) => label.replace(/[\r\n]+/g, ' ').trim() || String(category));
  const [only] = lines;
  const written = lines.length === 1 ? [only!.replace(/[ ,]+/g, '_')] : lines;
  return written.map((line) => `${line}\n`).join('');
}
