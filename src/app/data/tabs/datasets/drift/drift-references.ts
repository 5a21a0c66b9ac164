import {
  readDriftReference,
  writeDriftReference,
  type DriftReference,
} from '../../../../../evidence/drift/drift-reference.ts';
import { Order } from '../../../../../gen/app/data/v1/data_pb.ts';
import { minuteText } from '../../../../kit/words/figures.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { fetchBytes } from '../../../annotate/saving/stored-pictures.ts';
import { uploadFile } from '../../../shared/import/upload-file.ts';
import { storedItem } from '../../../shared/items/stored-item.ts';

/** References are files of the data service: they outlast the browser, and are downloaded and deleted like others. */
const tag = 'drift-reference';
const ending = '.drift-reference.json';
const mostListed = 100;

/** A reference, as a list shows it. */
export interface ListedReference {
  /** id of its file */
  readonly id: string;
  readonly name: string;
}

/** The references of the organization, the latest first. @throws ConnectError */
export async function listReferences(
  { data, home }: Pick<DataContext, 'data' | 'home'>,
  signal: AbortSignal,
): Promise<readonly ListedReference[]> {
  const filter = { organizationIds: [home.organizationId], tagsFilter: { tags: [tag] } };
  const dataRequest = { filter, limit: BigInt(mostListed), sortOrder: Order.DESCENDING };
  const found = await data.binaryDataByFilter({ dataRequest, includeBinary: false }, { signal });
  return found.data.flatMap(({ metadata }) => {
    const item = metadata && storedItem(metadata);
    return item ? [{ id: item.id, name: item.name.replace(ending, '') }] : [];
  });
}

/** Stores a reference. @throws ConnectError */
export async function keepReference(
  context: Pick<DataContext, 'data' | 'sync' | 'home'>,
  {
    name,
    keptAtMs,
    frames,
    images,
    answeredBy,
  }: Pick<DriftReference, 'name' | 'frames' | 'images' | 'answeredBy'> & { readonly keptAtMs: number },
  signal: AbortSignal,
): Promise<ListedReference> {
  const reference = { name, keptAt: new Date(keptAtMs).toISOString(), frames, images, answeredBy };
  // A colon is no part of a file name everywhere.
  const listed = `${name} ${minuteText(keptAtMs).replace(':', '.')}`;
  const options = { type: 'application/json', lastModified: keptAtMs };
  const file = new File([writeDriftReference(reference)], listed + ending, options);
  const { id } = await uploadFile(context, file, { tags: [tag], signal, onProgress: () => undefined });
  return { id, name: listed };
}

/** @throws ConnectError; DriftReferenceError for a file that is none; Error if it was deleted */
export async function readReference(
  { data }: Pick<DataContext, 'data'>,
  id: string,
  signal: AbortSignal,
): Promise<DriftReference> {
  const bytes = (await fetchBytes(data, [id], signal)).get(id);
  if (!bytes) throw new Error('The reference was deleted. Choose another, or keep one again.');
  return readDriftReference(new TextDecoder().decode(bytes));
}
