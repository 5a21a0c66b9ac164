import { jsonLanguage } from '@codemirror/lang-json';
import { StandardSQL } from '@codemirror/lang-sql';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import { Marked, type Tokens } from 'marked';
import { askRule } from './lint-example.ts';

/** A page as HTML, with what links, the menu and the search need of it. */
export interface MarkdownPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** What a page needs of the site around it. */
export interface Surroundings {
  /** Address of what a link of the Markdown leads to, relative to the page. @throws Error for a dead link */
  readonly addressOf: (href: string) => string;
  /** HTML of a picture. @throws Error if the picture does not exist */
  readonly pictureOf: (href: string, alternative: string) => string;
}

/**
 * Renders a page. Besides usual Markdown it knows ```` ```json lint KIND ```` (an example of the rule that is the heading,
 * behind which stands what the rule says of it) and ```` ```json facts ```` before such an example.
 * @throws Error where a link, a picture or an example is wrong
 */
export function renderMarkdown(markdown: string, { addressOf, pictureOf }: Surroundings): MarkdownPage {
  const headings: Heading[] = [];
  let facts = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }): string {
        const html = this.parser.parseInline(tokens);
        const text = plainText(html);
        const id = uniqueSlug(text, headings);
        headings.push({ id, text, depth });
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`;
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>\n`;
      },
      code({ text, lang = '' }): string {
        const [language = '', use = '', ...kind] = lang.split(' ');
        if (use === 'facts') {
          facts = text;
          return figure('What is known of the model behind it', codeBlock(text, language));
        }
        if (use !== 'lint') return codeBlock(text, language);
        const code = headings.at(-1)?.text ?? '';
        const known = facts;
        facts = '';
        return lintExample(text, askRule(code, kind.join(' '), text, known));
      },
      link({ href, title, tokens }): string {
        const named = title ? ` title="${escapeHtml(title)}"` : '';
        return `<a href="${escapeHtml(addressOf(href))}"${named}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }): string {
        return pictureOf(href, text);
      },
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${cells.map(({ tokens }) => cellOf(this.parser.parseInline(tokens), tag)).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>\n`;
      },
      html({ text }): string {
        return /^<!--[^]*-->\s*$/.test(text) ? '' : escapeHtml(text);
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  const title = headings.find(({ depth }) => depth === 1)?.text;
  if (title === undefined) throw new Error('A page begins with its title.');
  return { title, html, headings };
}

const languages = new Map([
  ['json', jsonLanguage],
  ['sql', StandardSQL.language],
]);

/** A heading cell without words is an ordinary cell. */
function cellOf(html: string, tag: 'th' | 'td'): string {
  const name = html === '' ? 'td' : tag;
  return `<${name}>${html}</${name}>`;
}

function codeBlock(text: string, language: string): string {
  const parser = languages.get(language)?.parser;
  let html = '';
  if (!parser) html = escapeHtml(text);
  else
    highlightCode(
      text,
      parser.parse(text),
      classHighlighter,
      (part, classes) => (html += classes ? `<span class="${classes}">${escapeHtml(part)}</span>` : escapeHtml(part)),
      () => (html += '\n'),
    );
  return `<div class="code"><pre tabindex="0"><code>${html}</code></pre></div>\n`;
}

function lintExample(text: string, { about, findings, mended }: ReturnType<typeof askRule>): string {
  const said = findings.map(
    ({ severity, message, mend }) =>
      `<li class="${severity}"><b>${severity}</b> ${escapeHtml(message)}${mend === null ? '' : `<span class="mend">Mend: ${escapeHtml(mend)}</span>`}</li>`,
  );
  const after = mended === null ? '' : figure('After the mend', codeBlock(mended, 'json'));
  return `<div class="example">${figure(`Example: ${about}`, codeBlock(text, 'json'))}<ul class="findings">${said.join('')}</ul>${after}</div>\n`;
}

const figure = (caption: string, html: string): string =>
  `<figure><figcaption>${escapeHtml(caption)}</figcaption>${html}</figure>`;

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** What a person reads of HTML that we wrote. */
export function plainText(html: string): string {
  return html
    .replaceAll(/<a class="anchor"[^]*?<\/a>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A heading's slug as GitHub makes it, so that a link works there and here. */
function uniqueSlug(text: string, before: readonly Heading[]): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const count = before.filter(({ text: other }) => other === text).length;
  return count === 0 ? slug : `${slug}-${count}`;
}
