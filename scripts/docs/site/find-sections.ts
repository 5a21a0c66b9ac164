/** What the search goes through. */
export interface Section {
  readonly page: string;
  readonly title: string;
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** What people type around the words that tell what they look for. */
const fillers = new Set(
  'a an and are at be by can do does for from how i in is it me my of on or run runs running some the this to use using what when where which why with'.split(
    ' ',
  ),
);

/** The words that a question is asked by, without their plural: "Why are my boxes wrong?" is box, wrong. */
export function wordsOf(asked: string): readonly string[] {
  const words = asked
    .toLowerCase()
    .split(/[^\p{L}\p{N}_.+-]+/u)
    .map((word) => word.replace(/^[.-]+|[.-]+$/g, ''))
    .filter(Boolean);
  const telling = words.filter((word) => !fillers.has(word));
  return (telling.length > 0 ? telling : words).map(singular);
}

const singular = (word: string): string =>
  word.length > 4 && /(x|ch|sh|ss)es$/.test(word)
    ? word.slice(0, -2)
    : word.length > 3
      ? word.replace(/(?<=[^siu])s$/, '')
      : word;

/**
 * The sections of the pages that hold all words, else of those that hold most of them, the best first: a word counts most in a heading, a recipe
 * goes before a reference, and the history of changes comes last.
 */
export function findSections(sections: readonly Section[], asked: string): readonly Section[] {
  const words = wordsOf(asked);
  const ofPage = new Map<string, Set<string>>();
  const judged = sections.map((section) => {
    const { worth, held } = worthOf(section, words);
    const onPage = ofPage.get(section.page) ?? new Set();
    for (const word of held) onPage.add(word);
    ofPage.set(section.page, onPage);
    return { section, worth };
  });
  const most = Math.max(0, ...Array.from(ofPage.values(), ({ size }) => size));
  return judged
    .filter(({ section, worth }) => worth > 0 && ofPage.get(section.page)!.size === most)
    .toSorted((a, b) => rankOf(a.section) - rankOf(b.section) || b.worth - a.worth)
    .map(({ section }) => section);
}

const rankOf = ({ page }: Section): number => (page === 'changelog.html' ? 1 : 0);

/** 0: it holds none of the words. */
function worthOf({ page, title, heading, text }: Section, words: readonly string[]) {
  const [inTitle, inHeading, inText] = [title, heading, text].map((part) => part.toLowerCase());
  const held: string[] = [];
  let worth = 0;
  for (const word of words) {
    const here =
      (inHeading!.includes(word) ? 8 : 0) + (inTitle!.includes(word) ? 3 : 0) + (inText!.includes(word) ? 1 : 0);
    if (here > 0) held.push(word);
    worth += here;
  }
  if (worth > 0 && page.startsWith('recipes/')) worth += 4;
  return { held, worth };
}
