import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { LabelService, type Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import { memoizeByObject } from '../../../../base/schedule/memoize-by-object.ts';

export type LabelClient = Client<typeof LabelService>;

const clientOf = memoizeByObject((transport: Transport): LabelClient => createClient(LabelService, transport));

/** The client of what people do on labels together. Services other than Sightglass answer Unimplemented. */
export const labelClientOf = ({ transport }: { readonly transport: Transport }): LabelClient => clientOf(transport);

/** All tasks of an image that its reader may see, with the boxes of the blind ones: a page has as many as few megabytes take. */
export async function tasksOfImage(
  client: LabelClient,
  of: { readonly organizationId: string; readonly binaryDataId: string },
): Promise<readonly Task[]> {
  const found: Task[] = [];
  for (let pageToken = ''; ;) {
    const { tasks, nextPageToken } = await client.listTasks({ ...of, pageSize: 100, pageToken });
    found.push(...tasks);
    pageToken = nextPageToken;
    if (pageToken === '') return found;
  }
}
