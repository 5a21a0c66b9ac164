import type { Estimate } from '../intervals/ratio-interval.ts';
import { escapeHtml } from './escape-html.ts';

/**
 * One page that loads nothing; its colours follow the reader's light or dark, and it prints.
 * @param title plain text
 * @param body HTML
 * @returns the text of an HTML file
 * @example
 * reportPage('A & B', '<p>0').includes('<h1>A &amp; B</h1>'); // => true
 */
export const reportPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; --ink: #1b1f24; --line: #d4d8dd; --paper: #fff; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --line: #454a52; --paper: #17191d; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: .5rem 0 1.5rem; }
th, td { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: right; } th:first-child, td:first-child { text-align: left; min-width: 5rem; overflow-wrap: anywhere; }
.texts :is(th, td) { text-align: left; vertical-align: top; overflow-wrap: anywhere; } .texts :is(th, td):first-child { overflow-wrap: normal; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; flex: 1 1 22rem; max-width: 30rem; break-inside: avoid; }
svg { width: 100%; height: auto; } .pictures figure { flex: 1 1 14rem; max-width: 20rem; overflow-wrap: anywhere; } svg text { font-size: 11px; fill: var(--ink); } .grid { stroke: var(--line); fill: none; } .line { fill: none; stroke-width: 1.8; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem .9rem; padding: 0; font-size: 13px; } .legend span { display: inline-block; width: .8em; height: .8em; margin-right: .35em; }
.scroll { overflow-x: auto; } pre { overflow: auto; font-size: 13px; }
@media print { :root { color-scheme: light; print-color-adjust: exact; } body { margin: 0; max-width: none; font-size: 11px; } th, td { padding: .15rem .4rem; } h2, thead { break-after: avoid; } tr { break-inside: avoid; } pre { white-space: pre-wrap; } }
</style>
<h1>${escapeHtml(title)}</h1>
${body}
</html>
`;

/**
 * A table; its texts are escaped.
 * @param head names of columns; empty: none
 * @param rows cells as plain text
 * @param kind `texts`: long ones stand side by side, and break anywhere
 * @returns HTML
 * @example
 * table([], [['<', '1']]); // => '<table class="figures"><tbody><tr><td>&lt;<td>1</tbody></table>'
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  kind: 'figures' | 'texts' = 'figures',
): string {
  const cells = (row: readonly string[], tag: string): string =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}`).join('');
  return `<table class="${kind}">${head.length > 0 ? `<thead><tr>${cells(head, 'th')}</thead>` : ''}<tbody>${rows.map((row) => `<tr>${cells(row, 'td')}`).join('')}</tbody></table>`;
}

/** Three decimals; "–": undefined. */
export const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(3));

export const interval = (estimate: Estimate | null): string =>
  estimate === null ? '–' : `${figure(estimate.value)} (${figure(estimate.low)} to ${figure(estimate.high)})`;

/**
 * Lines as CSV (RFC 4180).
 * @param lines fields; null is empty
 * @returns each line with its end
 * @example
 * csvText([['a,b', 0.5, null]]); // => '"a,b",0.5,\r\n'
 */
export const csvText = (lines: readonly (readonly (string | number | null)[])[]): string =>
  lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('');

function csvField(value: string | number | null): string {
  // A name that begins like a formula is text to no spreadsheet without the apostrophe.
  const text = typeof value === 'string' ? value.replace(/^[=+@-]/, "'$&") : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
