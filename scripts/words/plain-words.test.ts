import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refusedWords } from './refused-words.ts';
import { textsOf } from './texts-of.ts';

const sources = globSync('{src,workers}/**/*.{ts,svelte}')
  .filter((path) => !/\.test\.ts$|\.d\.ts$|^src\/gen\//.test(path))
  .sort();
const pages = [...globSync('docs/{*,recipes/*}.md').sort(), 'README.md'];

const mostWords = 24;

/** What the words of a text are to be instead, one line for each refused word. */
const refusalsOf = (text: string): readonly string[] =>
  refusedWords.flatMap(([refused, write]) => {
    const found = new RegExp(refused, `${refused.flags}i`).exec(text);
    const around = found && text.slice(Math.max(0, found.index - 60), found.index + 60);
    return found ? [`“${around}” says "${found[0]}"; write: ${write}`] : [];
  });

/** The source in one line without the comments that have lines of their own. */
const withoutComments = (source: string): string =>
  source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '').replaceAll(/\s+/g, ' ');

/** Six words in a row, which a sentence that is too long has and most code has not: other files need no parser. */
const prose = /([\p{L}’',;:-]+ ){6}/u;

/** Sentences with more words than are read at a glance; lists of names and drawings have no sentences. */
function longSentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+/).filter((sentence) => {
    const words = sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));
    return (
      words.length > mostWords &&
      /^\p{Lu}.* \p{Ll}/u.test(sentence) &&
      words.filter((word) => /^\p{L}/u.test(word)).length > 0.8 * words.length
    );
  });
}

describe('the texts of a file', () => {
  it('are its strings and the words of its markup, without comments and imports', () => {
    const source =
      "<script lang='ts'>\nimport 'a b';\n// is anew\nconst says = `${n} boxes: ${m}`;\n</script>\n<p title='To be seen'>Some <b>two\n lines</b> {says}</p><p>{'A text'}</p>";
    expect(
      textsOf('A.svelte', source)
        .map(({ line, text }) => `${line} ${text}`)
        .sort(),
    ).toEqual(['4 … boxes: …', '6 Some two lines …', '6 To be seen', '6 two lines', '7 A text']);
    expect(textsOf('a.ts', "import 'a b'; // no c d\nf('e f', `g ${h} i`);")).toEqual([
      { line: 2, text: 'e f' },
      { line: 2, text: 'g … i' },
    ]);
  });

  it('are refused where they say an old word, with the new one', () => {
    expect(refusalsOf('The thresholds in force')).toEqual([expect.stringMatching(/says "in force"; write: current/)]);
    expect(refusalsOf('There is no model, and it is no longer here')).toEqual([]);
    expect(longSentencesOf(`Short. ${'A word and '.repeat(9)}.`)).toHaveLength(1);
  });
});

describe('texts for people', () => {
  it('say what is said today, and one word an idea', () => {
    const found = sources.flatMap((path) => {
      const source = readFileSync(path, 'utf8');
      if (refusalsOf(withoutComments(source)).length === 0) return []; // most files need no parser
      return textsOf(path, source).flatMap(({ line, text }) =>
        refusalsOf(text).map((refusal) => `${path}:${line} ${refusal}`),
      );
    });
    expect(found).toEqual([]);
  });

  it('say so in the documentation, too', () => {
    const found = pages.flatMap((path) => {
      const text = readFileSync(path, 'utf8').replaceAll(/```[^]*?```|`[^`\n]*`/g, (code) =>
        code.replaceAll(/[^\n]/g, ''),
      );
      return text
        .split('\n')
        .flatMap((words, at) => refusalsOf(words).map((refusal) => `${path}:${at + 1} ${refusal}`));
    });
    expect(found).toEqual([]);
  });

  it(`are sentences of ${mostWords} words at most on the screen`, () => {
    const found = sources
      .filter((path) => path.startsWith('src/app/'))
      .flatMap((path) => {
        const source = readFileSync(path, 'utf8');
        if (!prose.test(withoutComments(source))) return [];
        return textsOf(path, source).flatMap(({ line, text }) =>
          longSentencesOf(text).map((sentence) => `${path}:${line} ${sentence}`),
        );
      });
    expect(found).toEqual([]);
  });
});
