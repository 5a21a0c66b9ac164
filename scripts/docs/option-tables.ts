import { commands } from '../../src/cli/commands.ts';
import { optionForm, optionText } from '../../src/cli/record/help.ts';

const begin = '<!-- options: begin, written by `node scripts/option-tables.ts` -->';
const end = '<!-- options: end -->';

/** A page with the tables of all commands' options, as their records have them, between its marks. @throws Error without marks */
export function withOptionTables(page: string): string {
  const [before, rest] = page.split(begin);
  const [, after] = (rest ?? '').split(end);
  if (after === undefined) throw new Error(`The page has no ${begin} with ${end} below it.`);
  return `${before}${begin}\n\n${commands.map(tableOf).join('\n')}\n${end}${after}`;
}

const inCell = (text: string): string => text.replaceAll('|', '\\|');

const tableOf = ({ name, options }: (typeof commands)[number]): string => {
  const titles = [...new Set(options.map(({ group }) => group))];
  const tables = titles.map((title) => {
    const rows = options.filter(({ group }) => group === title);
    return [
      `| \`${name}\`${title && `: ${title.toLowerCase()}`} | |\n|---|---|`,
      ...rows.map((one) => `| \`${inCell(optionForm(one))}\` | ${inCell(optionText(one))} |`),
      '',
    ].join('\n');
  });
  return tables.join('\n');
};
