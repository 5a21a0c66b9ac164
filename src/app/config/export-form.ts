import { exportChangedEntries, exportPatch, exportWhole } from '../../config/export-config.ts';
import type { ExportNote } from '../../config/write-out.ts';

export type ExportForm = 'whole' | 'changed' | 'patch';

export interface Exported {
  readonly text: string;
  readonly notes: readonly ExportNote[];
  readonly fileName: string;
}

/** The configuration in one of its export forms, compared with the text that was imported. */
export function exportAs(form: ExportForm, importedText: string, text: string, tuned: readonly string[]): Exported {
  switch (form) {
    case 'whole':
      return { ...exportWhole(text, tuned), fileName: 'machine.json' };
    case 'changed':
      return { ...exportChangedEntries(importedText, text, tuned), fileName: 'machine.changed.json' };
    case 'patch': {
      const { text: patch, notes } = exportPatch(importedText, text, tuned);
      return { text: patch, notes, fileName: 'machine.patch.json' };
    }
  }
}
