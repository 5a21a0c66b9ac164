export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A diff for reading: longer runs of equal lines are folded to their count. */
export type FoldedLine = DiffLine | { readonly kind: 'folded'; readonly count: number };

export function foldSame(diff: readonly DiffLine[], contextLines = 3): readonly FoldedLine[] {
  const near = diff.map(() => false);
  diff.forEach(({ kind }, at) => {
    if (kind === 'same') return;
    const end = Math.min(diff.length - 1, at + contextLines);
    for (let line = Math.max(0, at - contextLines); line <= end; line++) near[line] = true;
  });
  const folded: FoldedLine[] = [];
  let hidden = 0;
  diff.forEach((line, at) => {
    if (!near[at]) hidden++;
    if (hidden > 0 && (near[at] || at === diff.length - 1)) {
      folded.push({ kind: 'folded', count: hidden });
      hidden = 0;
    }
    if (near[at]) folded.push(line);
  });
  return folded;
}

/** A change of text: replaces the characters from `from` to `to` of the old text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Beyond this size of the table, the middle counts as replaced: nobody reads such a diff line by line. */
const MOST_CELLS = 4_000_000;

/** The lines of both texts in order, removed lines before those that replaced them. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  const room = Math.min(a.length, b.length) - start;
  while (tail < room && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [
    ...lines('same', a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - tail), b.slice(start, b.length - tail)),
    ...lines('same', a.slice(a.length - tail)),
  ];
}

/** The smallest line-wise changes from one text to the other, so that a cursor elsewhere keeps its position. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  const changes: TextChange[] = [];
  let at = 0;
  let hunk: { from: number; removed: string; added: string } | null = null;
  const close = (): void => {
    if (hunk) changes.push(trimmed(hunk.from, hunk.removed, hunk.added));
    hunk = null;
  };
  // All lines but the last end with a line break; a virtual one at the end of both texts makes all lines alike.
  for (const { kind, text } of diffLines(before, after)) {
    const line = `${text}\n`;
    if (kind === 'same') close();
    else {
      hunk ??= { from: at, removed: '', added: '' };
      if (kind === 'removed') hunk.removed += line;
      else hunk.added += line;
    }
    if (kind !== 'added') at += line.length;
  }
  close();
  const end = before.length;
  return changes.map((change) => withoutVirtualBreak(change, end));
}

/** Removes what both sides of a hunk have in common at its ends. */
function trimmed(from: number, removed: string, added: string): TextChange {
  const most = Math.min(removed.length, added.length);
  let start = 0;
  while (start < most && removed[start] === added[start]) start++;
  let tail = 0;
  while (tail < most - start && removed[removed.length - 1 - tail] === added[added.length - 1 - tail]) tail++;
  return { from: from + start, to: from + removed.length - tail, insert: added.slice(start, added.length - tail) };
}

/**
 * The old text has no line break after its last line: a change that reaches beyond its end is moved back by one.
 */
function withoutVirtualBreak({ from, to, insert }: TextChange, end: number): TextChange {
  if (from > end) return { from: end, to: end, insert: `\n${insert.slice(0, -1)}` };
  if (to <= end) return { from, to, insert };
  return insert.endsWith('\n') ? { from, to: end, insert: insert.slice(0, -1) } : { from: from - 1, to: end, insert };
}

function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  if (a.length * b.length > MOST_CELLS) return [...lines('removed', a), ...lines('added', b)];
  // longest[i][j] = length of the longest common subsequence of a[i..] and b[j..]
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      longest[at] = a[i] === b[j] ? longest[at + width + 1]! + 1 : Math.max(longest[at + width]!, longest[at + 1]!);
    }
  }
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const at = i * width + j;
    if (a[i] === b[j]) {
      result.push({ kind: 'same', text: a[i]! });
      i++;
      j++;
    } else if (longest[at + width]! >= longest[at + 1]!) result.push({ kind: 'removed', text: a[i++]! });
    else result.push({ kind: 'added', text: b[j++]! });
  }
  return [...result, ...lines('removed', a.slice(i)), ...lines('added', b.slice(j))];
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): readonly DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
