import { memoizeByObject } from '../../../../../base/schedule/memoize-by-object.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { SchemeEditor } from './scheme-editor.svelte.ts';

const editorsOf = memoizeByObject((_: Pick<DataContext, 'transport'>) => new Map<string, SchemeEditor>());

/** The editor of a dataset's scheme, the same one each time: what is not saved is still there after another view was looked at. */
export function schemeEditorOf(context: Pick<DataContext, 'transport'>, datasetId: string): SchemeEditor {
  const editors = editorsOf(context);
  const editor = editors.get(datasetId) ?? new SchemeEditor(context, datasetId);
  editors.set(datasetId, editor);
  return editor;
}
