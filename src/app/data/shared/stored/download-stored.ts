import { saveFile } from '../../../kit/layout/save-file.ts';
import type { DataContext } from '../../context/data-context.ts';
import { contentOf } from '../items/content-of.ts';

/** The service refuses larger answers, and they would be in memory as a whole. */
const mostInAnswerBytes = 64e6;

export interface Downloadable {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/**
 * Saves a stored file to disk. A large one is read through its URL, in pieces, if URLs work here. @throws
 * ConnectError, or an Error in words for the user
 */
export async function download(
  context: Pick<DataContext, 'data' | 'linkTrouble'>,
  { id, name, sizeBytes }: Downloadable,
): Promise<void> {
  const content = sizeBytes <= mostInAnswerBytes ? await contentOf(context, id) : await streamed(context, id);
  saveContent(name, content);
}

/** Saves a file to disk under a name whose slashes are replaced. */
export const saveContent = (name: string, content: Blob): void => saveFile(name.replaceAll(/[\\/]/g, '_'), content);

const streamed = (context: Pick<DataContext, 'data' | 'linkTrouble'>, id: string): Promise<Blob> =>
  byAddress(
    context,
    'A file of this size',
    async () => (await context.data.createBinaryDataSignedURL({ binaryDataId: id })).signedUrl,
  );

/**
 * Reads a file through a URL of the data service, if URLs work here.
 * @param subject what is read, which begins the message where they do not
 * @param createUrl asked only where URLs work
 * @throws what `createUrl` throws, or an Error in words for the user
 */
export async function byAddress(
  context: Pick<DataContext, 'linkTrouble'>,
  subject: string,
  createUrl: () => Promise<string>,
): Promise<Blob> {
  const trouble = await context.linkTrouble();
  if (trouble !== null)
    throw new Error(`${subject} is read by its address, and addresses do not work here. ${trouble}`);
  const answer = await fetch(await createUrl());
  if (!answer.ok) throw new Error(`Its address answered with ${answer.status}.`);
  return answer.blob();
}
