import { actorKey, type Change } from '../../data-service/face/accounts.ts';
import { type BinaryRecord, changesOfFiles, type EditedBinary } from '../../data-service/face/captures.ts';
import { changesOf, type LabelTask, notFound, type TaskEdit } from '../../data-service/face/stores.ts';

/** The images of tasks, as far as they are there, and all tasks of these. */
interface ImagesAndTasks {
  /** in any order; those that are not there are left out */
  readonly images: readonly BinaryRecord[];
  /** all tasks of these images, in any order */
  readonly tasks: readonly LabelTask[];
}

/** A task without its boxes, which may be megabytes. */
export interface TaskPlace extends Pick<LabelTask, 'binaryDataId' | 'isBlind'> {
  /** by `actorKey` */
  readonly assignee: string;
}

export const placeOfTask = ({ binaryDataId, isBlind, assignee }: LabelTask): TaskPlace => ({
  binaryDataId,
  isBlind,
  assignee: actorKey(assignee),
});

/**
 * Says which tasks are to be added.
 * @param wanted tasks of one organization
 * @param images of these tasks, in any order; those that are not there are left out
 * @param places of all tasks of these images, in any order
 * @returns those of them that `LabelStore.addTasks` adds, in their order
 */
export function tasksToAdd(
  wanted: readonly LabelTask[],
  images: readonly BinaryRecord[],
  places: readonly TaskPlace[],
): readonly LabelTask[] {
  const imageOf = new Map(images.map((image) => [image.id, image]));
  const keysOf = ({ binaryDataId, isBlind, assignee }: TaskPlace): string[] => [
    `${binaryDataId} ${assignee}`,
    ...(isBlind ? [] : [`${binaryDataId} `]),
  ];
  const taken = new Set(places.flatMap(keysOf));
  return wanted.filter((task) => {
    const image = imageOf.get(task.binaryDataId);
    if (image === undefined || (!task.isBlind && image.accepted !== undefined)) return false;
    const keys = keysOf(placeOfTask(task));
    if (keys.some((key) => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  });
}

/** What an edit makes of tasks and of their images, to be stored. */
export interface EditedTasks {
  readonly changed: readonly LabelTask[];
  readonly deleted: readonly LabelTask[];
  /** each image that the edit changed, once */
  readonly files: readonly EditedBinary[];
  /** the changes' rows in the audit */
  readonly changes: readonly Change[];
  /** all tasks that are left of those that were edited, in the order of the ids */
  readonly left: readonly LabelTask[];
}

/**
 * Edits tasks.
 * @param ids of the tasks to edit; the first that is not found is named in the error
 * @param there the images of these tasks, with all tasks of these images
 * @param edit as of `LabelStore.editTasks`
 * @throws StoreError `not-found`
 */
export function editedTasks(ids: readonly string[], { images, tasks }: ImagesAndTasks, edit: TaskEdit): EditedTasks {
  const before = new Map(tasks.map((task) => [task.id, task]));
  const imagesBefore = new Map(images.map((image) => [image.id, image]));
  const now = new Map(before);
  const imagesNow = new Map(imagesBefore);
  const ofImage = new Map(images.map(({ id }): [string, string[]] => [id, []]));
  for (const { id, binaryDataId } of tasks) ofImage.get(binaryDataId)?.push(id);
  for (const id of ids) {
    const task = before.get(id);
    const image = task && imagesNow.get(task.binaryDataId);
    if (task === undefined || image === undefined) throw notFound('task', id);
    const others = ofImage.get(image.id)!.flatMap((other) => (other === id ? [] : (now.get(other) ?? [])));
    const edited = edit({ task, image, others });
    imagesNow.set(image.id, edited.image);
    if (edited.task === null) now.delete(id);
    else now.set(id, edited.task);
  }
  const files = [...imagesNow.values()]
    .map((after) => ({ before: imagesBefore.get(after.id)!, after }))
    .filter(({ before: was, after }) => was !== after);
  const isChanged = (task: LabelTask): boolean => before.get(task.id) !== task;
  const left = ids.flatMap((id) => now.get(id) ?? []);
  return {
    changed: left.filter(isChanged),
    deleted: ids.flatMap((id) => (now.has(id) ? [] : [before.get(id)!])),
    files,
    changes: [
      ...changesOfFiles(files),
      ...ids.flatMap((id) => changesOf('task', before.get(id)!, now.get(id) ?? null)),
    ],
    left,
  };
}
