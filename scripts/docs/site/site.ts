// What the pages of the documentation do beside being read: search, the menu on a phone, copying code, and staying offline.

import { findSections, wordsOf, type Section } from './find-sections.ts';

const mostFound = 12;
const root = document.querySelector<HTMLElement>('script[data-root]')!.dataset['root']!;

const menuButton = document.querySelector<HTMLButtonElement>('header .menu')!;
const menu = document.querySelector<HTMLElement>('#menu')!;
document.documentElement.classList.add('scripted');
menuButton.hidden = false;
menuButton.addEventListener('click', () => {
  const isOpen = menu.classList.toggle('open');
  menuButton.setAttribute('aria-expanded', String(isOpen));
});
menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
scrollTo({ top: scrollY });

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const say = (words: string): void => void (button.textContent = words);
  button.addEventListener('click', () => {
    const { textContent } = block.querySelector('code')!;
    // On a host without https there is no clipboard.
    const copied = navigator.clipboard ? navigator.clipboard.writeText(textContent) : Promise.reject(new Error());
    void copied.then(
      () => say('Copied'),
      () => say('Not copied: select the text'),
    );
  });
  block.append(button);
}

const search = document.querySelector<HTMLElement>('search')!;
const field = search.querySelector('input')!;
const found = search.querySelector<HTMLElement>('.found')!;
let sections: Promise<readonly Section[]> | null = null;
search.hidden = false;

const readSections = async (): Promise<readonly Section[]> => {
  const response = await fetch(`${root}search.json`);
  return response.ok ? ((await response.json()) as readonly Section[]) : [];
};

/** The text around the first word. */
function excerptOf({ text }: Section, words: readonly string[]): string {
  const at = text.lastIndexOf(' ', Math.max(0, text.toLowerCase().indexOf(words[0]!) - 40)) + 1;
  return `${at > 0 ? '… ' : ''}${text.slice(at, at + 120)}${at + 120 < text.length ? ' …' : ''}`;
}

async function showFound(): Promise<void> {
  const asked = field.value;
  const words = wordsOf(asked);
  sections ??= readSections().catch(() => {
    sections = null; // another time
    return [];
  });
  const all = await sections;
  if (asked !== field.value) return;
  found.hidden = words.length === 0;
  const best = findSections(all, asked).slice(0, mostFound);
  const links = best.map((section) => {
    const link = document.createElement('a');
    link.href = `${root}${section.page}#${section.id}`;
    const heading = document.createElement('b');
    heading.textContent = section.heading === section.title ? section.title : `${section.title} › ${section.heading}`;
    const excerpt = document.createElement('span');
    excerpt.textContent = excerptOf(section, words);
    link.append(heading, excerpt);
    return link;
  });
  found.replaceChildren(...(links.length > 0 ? links : ['Nothing was found.']));
}

field.addEventListener('input', () => void showFound());

// The help of the app asks by the address: #find=words.
const asked = new URLSearchParams(location.hash.slice(1)).get('find');
if (asked) {
  field.value = asked;
  field.focus();
  void showFound();
}
search.addEventListener('keydown', ({ key }) => {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
  if (key === 'ArrowUp') (links[at - 1] ?? field).focus();
  if (key === 'Enter' && document.activeElement === field) links[0]?.click();
  if (key === 'Escape') closeFound();
});
found.addEventListener('click', closeFound);
document.addEventListener('click', ({ target }) => {
  if (!search.contains(target as Node)) closeFound();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
});

function closeFound(): void {
  found.hidden = true;
}

// Whoever reads here may read on where there is no network: the app's service worker keeps all pages and pictures.
navigator.serviceWorker?.controller?.postMessage('cache-docs');
