import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands as records } from '../../src/cli/commands.ts';
import { parseCommand } from '../../tests/parse-command.ts';
import { usage } from '../../src/cli/usage.ts';
import { lint } from '../../src/machine/config/lint/lint.ts';
import { rules } from '../../src/machine/config/lint/rules.ts';
import { cameraSample, visionSample } from '../../src/machine/config/lint/test-samples.ts';
import { guided } from '../../src/models/fit/families/guided/guided.ts';
import { families } from '../../src/models/fit/registry.ts';
import { contents } from './contents.ts';
import { docsSite } from './docs-site.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const markdown = globSync('docs/**/*.md').sort();
const pages = [...markdown.filter((path) => !path.startsWith('docs/decisions/')), 'README.md', 'CONTRIBUTING.md'];
const headings = (path: string, marks: string): string[] =>
  [...read(path).matchAll(/^(#+) (.*)$/gm)].flatMap(([, own, text]) => (own === marks ? [text!] : []));

interface Block {
  readonly path: string;
  readonly info: string;
  readonly text: string;
}
const blocks: readonly Block[] = pages.flatMap((path) =>
  [...read(path).matchAll(/^```(.*)\n([^]*?)^```$/gm)].map(([, info, text]) => ({ path, info: info!, text: text! })),
);

describe('the documentation', () => {
  // Links, anchors, pictures, and the examples of lint rules are checked as it is made.
  it('is made whole, and asks nothing of other hosts', async () => {
    const files = await docsSite();
    for (const [path, file] of files) {
      if (typeof file !== 'string' || !/\.(html|css)$/.test(path)) continue;
      expect(
        file.match(/(?:src|srcset)="(?:https?:)?\/\/[^"]*|url\([^)]*|<link[^>]*href="(?:https?:)?\/\/[^"]*/g),
        path,
      ).toBe(null);
    }
    const lintPage = String(files.get('lint-rules.html'));
    expect(lintPage).toContain('keeps only the top-left pixel, not the whole frame.');
    expect(String(files.get('terminal.html'))).toContain('Usage: sightglass &lt;command&gt; [options]');
    expect(String(files.get('architecture.html'))).toContain('<code>src/machine/vision</code>');
    expect(JSON.parse(String(files.get('search.json')))).toContainEqual(
      expect.objectContaining({ page: 'lint-rules.html', id: 'box-order', title: 'Lint rules' }),
    );
  });

  it('gives browsers without light-dark() the colours of both schemes', async () => {
    const styles = String((await docsSite()).get('site.css'));
    expect(styles).not.toContain('light-dark(');
    const [light, dark] = styles.split('@media (prefers-color-scheme: dark)');
    expect(light).toContain('--surface-0: #eceef0;');
    expect(light).toContain('0 12px 28px rgb(16 24 32 / 14%);');
    expect(dark).toContain('--surface-0: #0c0e10;');
    expect(dark).toContain('0 12px 28px rgb(0 0 0 / 50%);');
  });

  it('has every page in its menu, once', () => {
    const listed = contents.flatMap(({ pages: entries }) => entries.map(({ source }) => source));
    const wanted = markdown.filter((path) => !/^docs\/decisions\/(?!README)/.test(path));
    expect(listed.filter((path) => path.startsWith('docs/')).sort()).toEqual(wanted);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('has a section for every lint rule, with an example', () => {
    const sections = headings('docs/lint-rules.md', '###');
    expect([...sections].sort()).toEqual(rules.map(({ code }) => code).sort());
    for (const part of read('docs/lint-rules.md').split(/^### /m).slice(1)) expect(part).toMatch(/^```json lint /m);
  });

  it('has a section for every family, under its name and with the word that asks for it', () => {
    const page = read('docs/families.md');
    for (const { name, id } of [...families, guided]) expect(page).toContain(`\n## ${name}\n\n\`${id}\`\n`);
    expect(headings('docs/families.md', '##')).toHaveLength(families.length + 2);
  });

  it('has the logo of the app', async () => {
    const drawn = (text: string) => [...text.matchAll(/<(?:circle|path) [^>]*?(?= ?\/>)/g)].map(([shape]) => shape);
    const page = String((await docsSite()).get('index.html'));
    const logo = drawn(/<a class="home"[^]*?<\/a>/.exec(page)![0]);
    expect(logo).toHaveLength(2);
    expect(logo).toEqual(drawn(read('src/app/shell/Header.svelte')));
  });

  it('draws rooms that exist', () => {
    const drawn = read('docs/pictures/architecture.svg').matchAll(/data-room="([^"]+)"|>((?:src|workers)\/[\w/-]+)</g);
    const paths = [...drawn].map(([, room, path]) => room ?? path!);
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) expect(existsSync(path), path).toBe(true);
  });
});

describe('every block of JSON', () => {
  const written = blocks.filter(({ info }) => info === 'json');

  it.each(written)('of $path is JSON that lint lets pass', ({ text }) => {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const config =
      'components' in value
        ? text
        : 'mlmodel_name' in value
          ? visionSample({ ...value, mlmodel_name: 'model' }).text
          : cameraSample({ pipeline: [value] }).text.replace('"vision"', '"people"');
    expect(lint(config).filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});

describe('every command', () => {
  const commands = blocks.flatMap(({ path, info, text }) =>
    /^(sh|yaml|$)/.test(info)
      ? [...text.matchAll(/^ *(?:- run: )?npx sightglass (.*)$/gm)].map(([, line]) => ({ path, line: line! }))
      : [],
  );

  it.each(commands.filter(({ line }) => !/[…[]|(NAME|DIR)\b/.test(line)))('$path: $line', ({ line }) => {
    const argv = line.replace(/\s*(#|>).*$/, '').trim();
    const words = argv.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ''));
    expect(parseCommand(words).name).toBe(argv.split(' ')[0]);
  });

  it('and option of the synopsis is one of the command line', () => {
    const told = read('docs/terminal.md').match(/--[a-z][a-z-]+/g)!;
    const known = records.flatMap(({ options }) => options.map(({ name }) => `--${name}`));
    expect(['--help', ...known]).toEqual(expect.arrayContaining([...new Set(told)]));
    for (const { line } of commands) expect(usage).toMatch(new RegExp(`^  ${line.split(' ')[0]} `, 'm'));
  });
});
