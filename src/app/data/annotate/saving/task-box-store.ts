import { Code, ConnectError } from '@connectrpc/connect';
import { imageBoxOf } from '../../../../remote/outbox/image-box-of.ts';
import type { Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { labelClientOf, tasksOfImage } from '../../shared/work/label-client.ts';
import { labelBox } from '../boxes/box-edit-calls.ts';
import { BoxStoreError, type BoxStore } from '../boxes/box-store.ts';
import { inWords } from './service-box-store.ts';

/** The boxes of a blind task: its assignee draws them without those of the image. */
export function createTaskBoxStore(
  context: Pick<DataContext, 'transport' | 'home'>,
  taskId: string,
  binaryDataId: string,
): BoxStore {
  const client = labelClientOf(context);
  const { organizationId } = context.home;
  let task: Task | null = null;

  return {
    load: () =>
      inWords(async () => {
        const tasks = await tasksOfImage(client, { organizationId, binaryDataId });
        task = tasks.find(({ id }) => id === taskId) ?? null;
        if (!task) throw new BoxStoreError('missing', 'The task is no longer there.');
        return task.boxes.map(imageBoxOf);
      }),
    apply: (operation) =>
      inWords(async () => {
        const { boxes, version } = task!;
        const id = 'id' in operation ? operation.id : crypto.randomUUID();
        const others = boxes.filter((box) => box.id !== id);
        const now = operation.kind === 'remove' ? others : [...others, labelBox(operation.box, id)];
        try {
          task = (await client.setTaskBoxes({ id: taskId, version, boxes: now })).task ?? null;
        } catch (error) {
          if (ConnectError.from(error).code !== Code.Aborted) throw error;
          throw new BoxStoreError('changed', 'The task was changed elsewhere meanwhile.', { cause: error });
        }
        return id;
      }),
  };
}
