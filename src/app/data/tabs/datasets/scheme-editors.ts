import type { DataContext } from '../../context/data-context.ts';
import { SchemeEditor } from './scheme-editor.svelte.ts';

const editors = new WeakMap<object, Map<string, SchemeEditor>>();

/** The editor of a dataset's scheme, the same one each time: what is not saved is still there after another view was looked at. */
export function schemeEditorOf(context: Pick<DataContext, 'transport'>, datasetId: string): SchemeEditor {
  const known = editors.get(context) ?? new Map<string, SchemeEditor>();
  const editor = known.get(datasetId) ?? new SchemeEditor(context, datasetId);
  editors.set(context, known.set(datasetId, editor));
  return editor;
}
