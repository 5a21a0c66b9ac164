/** The key under which a fitted model keeps its labels, as ONNX files of Ultralytics do: a JSON list. */
export const fittedLabelsKey = 'names';

/** What Ultralytics packs behind its .tflite files: a description as JSON, or as the text of a Python dictionary. */
export interface ExporterText {
  readonly facts: Readonly<Record<string, string>>;
  readonly labels: readonly string[] | null;
}

/** null: the text is no such description. */
export function readExporterText(text: string): ExporterText | null {
  if (!/^\s*\{/.test(text)) return null;
  const labels = namesOf(/['"]names['"]\s*:\s*(\{[^}]*\}|\[[^\]]*\])/.exec(text)?.[1] ?? '');
  if (!labels) return null;
  const task = /['"]task['"]\s*:\s*['"](\w+)['"]/.exec(text)?.[1];
  return { facts: { description: 'Ultralytics', ...(task !== undefined && { task }) }, labels };
}

/** The texts of a list, or of a dictionary by number, in JSON or Python; null where there are none. */
export function namesOf(text: string): readonly string[] | null {
  const quoted = /(?:['"]?\d+['"]?\s*:\s*)?(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g;
  const names = [...text.matchAll(quoted)].map(([, double, single]) =>
    (double ?? single ?? '').replace(/\\(.)/g, '$1'),
  );
  return names.length > 0 ? names : null;
}
