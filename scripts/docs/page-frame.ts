import { contentSecurityPolicy } from '../../src/server/http/content-security-policy.ts';
import { contents } from './contents.ts';
import { escapeHtml, type MarkdownPage } from './markdown-page.ts';

/** The logo of the app's header. */
const logo =
  '<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="10" cy="10" r="7.2"/><path d="M10 1v4.5M10 14.5V19M1 10h4.5M14.5 10H19"/></svg>';

/** A whole page of the site: head, menu, the text, its sections, and the pages before and after it. */
export function framePage(
  page: MarkdownPage,
  source: string,
  addressOf: (source: string) => string,
  root: string,
): string {
  const list = contents.flatMap(({ pages }) => pages);
  const at = list.findIndex((entry) => entry.source === source);
  const menu = contents.map(
    ({ title, pages }) =>
      `<p>${title}</p><ul>${pages.map((entry) => `<li><a href="${addressOf(entry.source)}"${entry.source === source ? ' aria-current="page"' : ''}>${entry.title}</a></li>`).join('')}</ul>`,
  );
  const sections = page.headings.filter(({ depth }) => depth === 2);
  const near = ([words, entry]: readonly [string, (typeof list)[number] | undefined]): string =>
    entry ? `<a href="${addressOf(entry.source)}"><small>${words}</small>${entry.title}</a>` : '<span></span>';
  return `<!doctype html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title === 'Sightglass' ? page.title : `${page.title} · Sightglass`)}</title>
<link rel="icon" href="${root}../icons/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}site.css">
<script type="module" src="${root}site.js" data-root="${root}"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<button type="button" class="menu" aria-expanded="false" aria-controls="menu" hidden>Menu</button>
<a class="home" href="${root}index.html">${logo}Sightglass <span>docs</span></a>
<search hidden><input type="search" aria-label="Search the documentation" placeholder="Search (/)" autocomplete="off" spellcheck="false"><div class="found" role="region" aria-label="Found" hidden></div></search>
<a class="bench" href="${root}../index.html">Open the bench</a>
</header>
<nav id="menu" aria-label="Pages">${menu.join('')}</nav>
<main id="text">
<article>
${page.html}</article>
${at < 0 ? '' : `<nav class="near" aria-label="Next and previous">${near(['Before', list[at - 1]])}${near(['Next', list[at + 1]])}</nav>`}
</main>
${sections.length < 2 ? '' : `<aside aria-label="On this page"><p>On this page</p><ul>${sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')}</ul></aside>`}
</body>
</html>
`;
}
