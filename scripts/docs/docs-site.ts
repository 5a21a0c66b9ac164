import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { transformWithOxc } from 'vite';
import { readImageHeader } from '../../src/evidence/datasets/image-size/read-image-size.ts';
import { usage } from '../../src/cli/usage.ts';
import { escapeHtml, plainText, renderMarkdown, type MarkdownPage, type Surroundings } from './markdown-page.ts';
import { framePage } from './page-frame.ts';
import { contents } from './contents.ts';

/** The files of the site by their paths below `docs/`. */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>;

/**
 * Makes the documentation of the Markdown in the checkout, which is the working folder.
 * @throws Error naming the page where a link, an anchor, a picture or an example is wrong
 */
export async function docsSite(): Promise<SiteFiles> {
  const files = new Map<string, string | Uint8Array>();
  const pages = new Map<string, MarkdownPage>();
  const anchors: (readonly [from: string, to: string, anchor: string])[] = [];
  for (const source of markdownFiles()) {
    try {
      pages.set(source, renderMarkdown(withInsertions(readFileSync(source, 'utf8')), surroundingsOf(source)));
    } catch (error) {
      throw new Error(`${source}: ${(error as Error).message}`, { cause: error });
    }
  }
  for (const [from, to, anchor] of anchors)
    if (!pages.get(to)?.headings.some(({ id }) => id === anchor))
      throw new Error(`${from}: ${to} has no heading #${anchor}.`);
  for (const [source, page] of pages) {
    const folder = dirname(addressOf(source));
    const root = folder === '.' ? './' : `${relative(folder, '.')}/`;
    files.set(
      addressOf(source),
      framePage(page, source, (target) => relative(folder, addressOf(target)), root),
    );
  }
  files.set('search.json', JSON.stringify(Array.from(pages, ([source, page]) => sectionsOf(source, page)).flat()));
  files.set('site.css', themeTokens() + readFileSync(join(siteFolder, 'site.css'), 'utf8'));
  for (const name of ['site', 'find-sections']) {
    const script = await transformWithOxc(readFileSync(join(siteFolder, `${name}.ts`), 'utf8'), `${name}.ts`);
    files.set(`${name}.js`, script.code.replace(/(?<= from "\.\/[\w-]+)\.ts(?=")/g, '.js'));
  }
  return files;

  function surroundingsOf(source: string): Surroundings {
    const folder = dirname(addressOf(source));
    const keep = (path: string): string => {
      if (!existsSync(path)) throw new Error(`${path} does not exist.`);
      const kept = belowDocs(path);
      files.set(kept, readFileSync(path));
      return relative(folder, kept);
    };
    return {
      addressOf(href) {
        if (/^https?:/.test(href)) return href;
        const [path = '', anchor = ''] = href.split('#');
        const target = path === '' ? source : join(dirname(source), path);
        if (!target.endsWith('.md')) return keep(target);
        if (target === 'README.md') return relative(folder, addressOf('docs/index.md'));
        if (!markdownFiles().includes(target)) throw new Error(`The link to ${href} is dead.`);
        if (anchor !== '') anchors.push([source, target, anchor]);
        return path === '' ? href : relative(folder, addressOf(target)) + (anchor && `#${anchor}`);
      },
      pictureOf(href, alternative) {
        const path = join(dirname(source), href);
        const dark = path.replace(/\.webp$/, '-dark.webp');
        const image = `<img src="${keep(path)}" alt="${escapeHtml(alternative)}"${sizeOf(path)} loading="lazy">`;
        // A drawing is too fine for a phone: it scrolls there.
        if (path.endsWith('.svg'))
          return `<span class="drawing" tabindex="0" role="group" aria-label="Drawing">${image}</span>`;
        if (dark === path || !existsSync(dark)) return image;
        return `<picture><source srcset="${keep(dark)}" media="(prefers-color-scheme: dark)">${image}</picture>`;
      },
    };
  }
}

const siteFolder = join(import.meta.dirname, 'site');

/** The pages of the menu, and the decisions, which one of them lists. */
function markdownFiles(): readonly string[] {
  const listed = contents.flatMap(({ pages }) => pages.map(({ source }) => source));
  return [...new Set([...listed, ...globSync('docs/decisions/*.md').sort()])];
}

/** The path of a page below `docs/`: CONTRIBUTING.md is contributing.html, a README.md its folder's index.html. */
function addressOf(source: string): string {
  const path = source.startsWith('docs/') ? source : source.toLowerCase();
  return belowDocs(path)
    .replace(/README\.md$/, 'index.md')
    .replace(/\.md$/, '.html');
}

const belowDocs = (path: string): string => path.replace(/^docs\//, '');

const insertions: Readonly<Record<string, () => string>> = {
  usage: () => `\`\`\`text\n${usage}\n\`\`\``,
  map: () => readFileSync('CONTRIBUTING.md', 'utf8').match(/(?<=^## The map\n\n)[^]*?(?=\n\n## )/m)![0],
};

function withInsertions(markdown: string): string {
  return markdown.replaceAll(/^<!-- insert: (\w+) -->$/gm, (_, name: string) => {
    const insertion = insertions[name];
    if (!insertion) throw new Error(`There is nothing to insert as "${name}".`);
    return insertion();
  });
}

/** What the search goes through: a page's sections, with their text. */
function sectionsOf(source: string, { title, html, headings }: MarkdownPage) {
  if (source.startsWith('docs/decisions/')) return [];
  return html
    .split(/(?=<h[123] )/)
    .filter((part) => part.startsWith('<h'))
    .map((part, at) => {
      const heading = headings.filter(({ depth }) => depth <= 3)[at]!;
      const text = plainText(part).slice(heading.text.length).trim();
      return { page: addressOf(source), title, id: heading.id, heading: heading.text, text };
    });
}

function sizeOf(path: string): string {
  const size = readImageHeader(readFileSync(path))?.sizePx;
  return size ? ` width="${size.widthPx}" height="${size.heightPx}"` : '';
}

/** The colours and sizes of the app, in a form for browsers without light-dark(), as the build writes the app's own styles. */
function themeTokens(): string {
  const tokens = /^:root \{[^]*?^\}\n/m.exec(readFileSync('src/app/theme.css', 'utf8'))?.[0];
  if (tokens === undefined) throw new Error('src/app/theme.css has no :root.');
  const inScheme = (place: 1 | 2): string => {
    const colour = /((?:[^,()]|\([^()]*\))+)/.source;
    return tokens.replaceAll(RegExp(`light-dark\\(${colour}, ${colour}\\)`, 'g'), `$${place}`);
  };
  return `${inScheme(1)}@media (prefers-color-scheme: dark) {\n${inScheme(2)}}\n`;
}
