import { parseLiteral, type Literal } from './python-literal.ts';

// `names` is ultralytics' key, `id2label` that of Hugging Face; the others are what exporters and hand-written scripts use.
const labelKeys = ['names', 'labels', 'classes', 'class_names', 'label_names', 'categories', 'id2label'];
const boxOrderKeys = ['xmin_ymin_xmax_ymax_order', 'boxOrder', 'box_order'];
/** More than any published label set; guards against an index that is really an id. */
const mostLabels = 100_000;

/** The labels in a model's metadata and their key; null if there are none. */
export function readLabels(
  metadata: Readonly<Record<string, string>>,
): { readonly labels: readonly string[]; readonly from: string } | null {
  for (const from of labelKeys) {
    const labels = parseLabels(metadata[from]?.trim() ?? '');
    if (labels !== null && labels.length > 0) return { labels, from };
  }
  return null;
}

/** Labels from a Python or JSON list or dictionary ({0: 'person', …}), or from plain text by lines, else by commas. */
function parseLabels(text: string): string[] | null {
  if (text === '') return null;
  if (/^[[{(]/.test(text)) {
    const literal = parseLiteral(text);
    return literal === undefined ? null : labelsOf(literal);
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length > 1 ? lines : text.split(',').map((label) => label.trim());
}

function labelsOf(literal: Literal): string[] | null {
  if (Array.isArray(literal)) return literal.map(String);
  if (!(literal instanceof Map)) return null;
  const indices = [...literal.keys()].map(Number);
  const count = Math.max(-1, ...indices) + 1;
  if (!indices.every((index) => Number.isInteger(index) && index >= 0) || count > mostLabels) return null;
  // A gap keeps its number, as a model without labels would show it.
  const labels = Array.from({ length: count }, (_, index) => String(index));
  for (const [index, label] of literal) labels[Number(index)] = String(label);
  return labels;
}

/** The box order that a model's metadata states, as xmin_ymin_xmax_ymax_order; null if none or no permutation of 0..3. */
export function readBoxOrder(metadata: Readonly<Record<string, string>>): readonly number[] | null {
  for (const key of boxOrderKeys) {
    const literal = parseLiteral(metadata[key] ?? '');
    if (
      Array.isArray(literal) &&
      [0, 1, 2, 3].every((coordinate) => literal.includes(coordinate)) &&
      literal.length === 4
    ) {
      return literal.map(Number);
    }
  }
  return null;
}
