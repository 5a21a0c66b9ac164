/** A row of a CSV text. */
export interface CsvRow {
  /** the line on which it starts, from 1 */
  readonly line: number;
  readonly fields: string[];
}

/** The fields of `csvRows`. */
export const parseCsv = (text: string): string[][] => csvRows(text).map(({ fields }) => fields);

/** Parses CSV (RFC 4180): quoted fields, doubled quotes, any line ends. Blank lines are skipped. */
export function csvRows(text: string): CsvRow[] {
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  let [startLine, line] = [1, 1];
  const endRow = (): void => {
    if (row.length > 0 || field !== '') rows.push({ line: startLine, fields: [...row, field] });
    row = [];
    field = '';
    startLine = line;
  };
  for (let i = text.charCodeAt(0) === 0xfeff ? 1 : 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\n' || (char === '\r' && text[i + 1] !== '\n')) line++;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[i + 1] === '"') field += text[++i];
      else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === separator) {
      row.push(field);
      field = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[i + 1] === '\n') {
        i++;
        line++;
      }
      endRow();
    } else field += char;
  }
  endRow();
  return rows;
}

/** The separator, guessed from the first line: spreadsheets of many European locales write semicolons. */
function separatorOf(text: string): string {
  const line = /^[^\r\n]*/.exec(text)![0];
  const count = (separator: string): number => line.split(separator).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}
