import { editPresent } from '../annotation-rules/edit-present.ts';
import type { DataServiceDependencies } from '../ports/dependencies.ts';
import type { BinaryEdit } from '../ports/binary-store.ts';
import { everythingOf, type BinaryFilter } from '../ports/capture-filter.ts';
import { binaryPages } from '../pages/binary-pages.ts';

/** Edits every member of a dataset, a batch at a time. */
export async function editMembers(
  { store: { binary } }: Pick<DataServiceDependencies, 'store'>,
  { organizationId, datasetId }: { readonly organizationId: string; readonly datasetId: string },
  edit: BinaryEdit,
  signal: AbortSignal,
): Promise<void> {
  for await (const records of binaryPages(binary, membersOf(organizationId, datasetId), signal)) {
    await editPresent(binary, organizationId, records, edit);
  }
}

const membersOf = (organizationId: string, datasetId: string): BinaryFilter => ({
  ...everythingOf(organizationId),
  datasetId,
  mimeTypes: [],
  boxLabels: [],
});
