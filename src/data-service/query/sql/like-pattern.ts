type Characters = ArrayLike<string>;

/** The part of a pattern between two `%`: characters, null for any one. */
type Segment = readonly (string | null)[];

/**
 * What tells whether a text is like a pattern: `%` is any text, `_` one character (also one of two UTF-16 units), a
 * backslash takes the next character as it is. Each segment takes the first place that it fits, which no later one can
 * make wrong, so a text is gone through once, where a regular expression goes back for every `%`.
 */
export function likePattern(pattern: string): (text: string) => boolean {
  const [first, ...others] = segmentsOf(pattern);
  const last = others.pop();
  return (text) => {
    const characters: Characters = /[\uD800-\uDFFF]/.test(text) ? Array.from(text) : text;
    if (last === undefined) return characters.length === first!.length && fits(first!, characters, 0);
    if (!fits(first!, characters, 0)) return false;
    let from = first!.length;
    const end = characters.length - last.length;
    for (const segment of others) {
      const at = placeOf(segment, characters, from, end - segment.length);
      if (at === -1) return false;
      from = at + segment.length;
    }
    return from <= end && fits(last, characters, end);
  };
}

function segmentsOf(pattern: string): Segment[] {
  const segments: (string | null)[][] = [[]];
  for (const [character, escaped] of pattern.matchAll(/\\(.)|[\s\S]/gsu)) {
    if (character === '%') segments.push([]);
    else segments.at(-1)!.push(character === '_' ? null : (escaped ?? character));
  }
  return segments;
}

const fits = (segment: Segment, characters: Characters, at: number): boolean =>
  segment.every(
    (wanted, index) => at + index < characters.length && (wanted ?? characters[at + index]) === characters[at + index],
  );

function placeOf(segment: Segment, characters: Characters, from: number, to: number): number {
  if (typeof characters === 'string' && !segment.includes(null)) {
    const at = characters.indexOf(segment.join(''), from);
    return at > to ? -1 : at;
  }
  for (let at = from; at <= to; at++) if (fits(segment, characters, at)) return at;
  return -1;
}
