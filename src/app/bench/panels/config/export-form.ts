import {
  exportChangedEntries,
  type ExportNote,
  exportPatch,
  exportWhole,
  type WriteOut,
} from '../../../../machine/config/face/edits.ts';
import type { ExportForm } from '../../view/view-state.svelte.ts';

export interface Exported {
  readonly text: string;
  readonly notes: readonly ExportNote[];
  readonly fileName: string;
}

/** The configuration in one of its export forms, compared with the text that was imported. */
export function exportAs(form: ExportForm, importedText: string, text: string, options: WriteOut): Exported {
  switch (form) {
    case 'whole':
      return { ...exportWhole(text, options), fileName: 'machine.json' };
    case 'changed':
      return { ...exportChangedEntries(importedText, text, options), fileName: 'machine.changed.json' };
    case 'patch': {
      const { text: patch, notes } = exportPatch(importedText, text, options);
      return { text: patch, notes, fileName: 'machine.patch.json' };
    }
  }
}
