import type { DataContext } from '../../data-context.ts';
import { ImportIntake } from './import-intake.svelte.ts';
import { ImportQueue } from './import-queue.svelte.ts';
import { uploadFile } from './upload-file.ts';
import { uploadRows } from './upload-rows.ts';

const ofContexts = new WeakMap<DataContext, ImportIntake>();

/** What is imported into a data service: one for all tabs. */
export function importsOf(context: DataContext): ImportIntake {
  const known = ofContexts.get(context);
  if (known) return known;
  const created = new ImportIntake(
    new ImportQueue({
      uploadFile: (file, options) => uploadFile(context, file, { ...options, tags: [] }),
      uploadRows: (file, plan, options) => uploadRows(context, file, plan, options),
      announce: (sentence) => context.announce(sentence),
    }),
  );
  ofContexts.set(context, created);
  return created;
}
