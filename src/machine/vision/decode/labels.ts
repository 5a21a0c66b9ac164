// Go's strings.TrimSpace, which decides what the machine calls blank: Unicode White_Space, so not U+FEFF.
const blank = /^\p{White_Space}*$/u;

/** Length of a line in bytes, with its CR, from which Go's bufio.Scanner refuses it (bufio.MaxScanTokenSize). */
const tooLongLineBytes = 64 * 1024;

/**
 * Reads a label file: one label a line. Blank lines are skipped; the others are kept unchanged but for a trailing
 * CR. A line of 64 KiB or more silently ends the list, as on the machine. A file of one line is split on "," and,
 * if that leaves it whole, on single spaces. Returns [] when no label is left.
 * @param text content of the label file
 * @returns one label a class, in class order; [] when no label is left
 * @example
 * parseLabels('cat\r\n\ndog\n'); // => ['cat', 'dog']
 * parseLabels('cat,dog'); // => ['cat', 'dog']
 * parseLabels('traffic light'); // => ['traffic', 'light']
 */
export function parseLabels(text: string): string[] {
  const lines = labelLines(text);
  const split = lines.length === 1 ? splitLabelLine(lines[0]!) : null;
  return split ? [...split.labels] : lines;
}

/**
 * Splits the one line of a label file as the machine does (`getLabelsFromFile` of services/vision/mlvision): at commas,
 * and where it has none at single blanks.
 * @param text content of the label file
 * @returns null: it has several lines, or one that is one label
 * @example
 * splitLabelFile('stop sign\n'); // => { at: 'blanks', labels: ['stop', 'sign'] }
 * splitLabelFile('stop sign\ncar\n'); // => null
 */
export function splitLabelFile(text: string): SplitLabels | null {
  const lines = labelLines(text);
  return lines.length === 1 ? splitLabelLine(lines[0]!) : null;
}

/** A label file of one line that holds several labels to the machine. */
export interface SplitLabels {
  readonly at: 'commas' | 'blanks';
  readonly labels: readonly string[];
}

function splitLabelLine(line: string): SplitLabels | null {
  const at = line.includes(',') ? 'commas' : 'blanks';
  const labels = line.split(at === 'commas' ? ',' : ' ');
  return labels.length > 1 ? { at, labels } : null;
}

function labelLines(text: string): string[] {
  const all = text.split('\n');
  const tooLong = all.findIndex((line) => hasUtf8Bytes(line, tooLongLineBytes));
  return (tooLong < 0 ? all : all.slice(0, tooLong))
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => !blank.test(line));
}

/**
 * Writes the label file that `parseLabels`, and so the machine, reads back as these labels (each less than 64 KiB).
 * A label that the format cannot hold is changed as little as possible: a line break becomes a space, a class
 * without a name gets its number, and the spaces and commas of a single label, which the machine would split,
 * become underscores.
 * @param labels one a class, in class order
 * @returns the text of the file, one label a line
 * @example
 * labelFileText(['cat', '', 'traffic light']); // => 'cat\n1\ntraffic light\n'
 * labelFileText(['traffic light']); // => 'traffic_light\n'
 */
export function labelFileText(labels: readonly string[]): string {
  const lines = labels.map((label, category) => onOneLine(label) || String(category));
  const [only] = lines;
  const written = lines.length === 1 ? [only!.replace(/[ ,]+/g, '_')] : lines;
  return written.map((line) => `${line}\n`).join('');
}

/**
 * Whether a label names no object: "???", "background". Such a label is often the first of a list whose class 0 is
 * unused.
 * @param label one label of a list
 * @returns true for a placeholder, in upper or lower case
 * @example
 * isPlaceholder('__background__'); // => true
 * isPlaceholder('back door'); // => false
 */
export function isPlaceholder(label: string): boolean {
  return /^(\?+|_*background_*|none|n\/a|nothing|unlabeled)$/i.test(label.trim());
}

/** The label without line breaks; '' if nothing of it is visible. */
function onOneLine(label: string): string {
  return label
    .split(/[\r\n]+/)
    .filter((part) => !blank.test(part))
    .join(' ');
}

/** Whether a text has at least so many bytes as UTF-8. */
function hasUtf8Bytes(text: string, bytes: number): boolean {
  if (text.length >= bytes || 3 * text.length < bytes) return text.length >= bytes;
  let count = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    count += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return count >= bytes;
}

/** Turns category numbers into text: by a label list, or as the numbers themselves where there is none. */
export interface LabelTable {
  /** number of labels in the list; null: there is no list, and every number is in range */
  readonly size: number | null;
  /** Label texts, and for each category (a whole number within range) the index of its text. */
  place(categories: Float64Array): { readonly labels: readonly string[]; readonly labelIndex: Uint32Array };
}

/** An empty list counts as none, as on the machine. Without a list the number texts are kept and grow as categories appear. */
export function labelTable(list: readonly string[] | null): LabelTable {
  if (list && list.length > 0)
    return { size: list.length, place: (categories) => ({ labels: list, labelIndex: Uint32Array.from(categories) }) };
  let numbers: readonly string[] = [];
  return {
    size: null,
    place(categories) {
      const highest = categories.reduce((most, category) => Math.max(most, category), -1);
      if (highest > highestListedNumber) return placeDistinct(categories);
      if (highest >= numbers.length) numbers = numberTexts(highest + 1);
      return { labels: numbers, labelIndex: Uint32Array.from(categories) };
    },
  };
}

/** "0", "1", … The list of the last count is kept: a raw head that is taken for a classifier has millions a frame. */
export function numberTexts(count: number): readonly string[] {
  if (lastTexts.length !== count) lastTexts = Array.from({ length: count }, (_, i) => String(i));
  return lastTexts;
}

let lastTexts: readonly string[] = [];

// Labels up to this number are kept as texts: one stray category of a million must not create a million texts a
// frame.
const highestListedNumber = 4095;

function placeDistinct(categories: Float64Array) {
  const distinct = [...new Set(categories)];
  const indexOf = new Map(distinct.map((category, index) => [category, index]));
  return {
    labels: distinct.map(String),
    labelIndex: Uint32Array.from(categories, (category) => indexOf.get(category)!),
  };
}
