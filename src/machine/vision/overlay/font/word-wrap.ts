import type { TextFace } from './text-face.ts';

// Go's unicode.IsSpace: JavaScript's \s without the byte order mark, and with "next line" (U+0085).
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const wordsAndSpaces = new RegExp(`${space}+|(?:(?!${space})[^])+`, 'gu');
const outerSpace = new RegExp(`^${space}+|${space}+$`, 'gu');

/**
 * Breaks a text between words into lines of at most `widthPx`. It follows gg, the machine's drawing library: the
 * first run of a line counts as a word even if it is spaces, a word that is too wide gets a line of its own, and
 * empty lines are dropped.
 */
export function wordWrap(text: string, widthPx: number, face: TextFace): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    const runs = paragraph.match(wordsAndSpaces) ?? [];
    let line = '';
    for (let i = 0; i < runs.length; i += 2) {
      const [word, gap] = [runs[i]!, runs[i + 1] ?? ''];
      if (wholePixels(line + word, face) > widthPx) {
        if (line === '') {
          lines.push(word);
          continue;
        }
        lines.push(line);
        line = '';
      }
      line += word + gap;
    }
    if (line !== '') lines.push(line);
  }
  return lines.map((line) => line.replaceAll(outerSpace, ''));
}

function wholePixels(text: string, face: TextFace): number {
  let width = 0;
  for (const character of text) width += face.advanceOf(character);
  return width >> 6;
}
