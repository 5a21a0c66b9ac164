export interface AttributedWork {
  readonly name: string;
  readonly usedFor: string;
  readonly author: string;
  readonly licence: string;
  readonly source: string;
}

/** Rows of the table in ATTRIBUTION.md: one list for the repository and the app. */
export function parseAttribution(markdown: string): AttributedWork[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2) // column names and the rule below them
    .map((line) => {
      const [name = '', usedFor = '', author = '', licence = '', source = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { name, usedFor, author, licence, source };
    });
}
