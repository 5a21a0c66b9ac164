/** Replaces the characters in [start, end) by `text`; equal ends insert. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits at the same place come out in the order given; of two that overlap, the second is left out. */
export function editText(text: string, edits: readonly Edit[]): string {
  let edited = '';
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    if (edit.start < done) continue;
    edited += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return edited + text.slice(done);
}
