/** The image of a picture in the editor, and the blind task whose boxes are shown on it. */
interface TaskPicture {
  readonly imageId: string;
  /** null: the boxes are those of the image */
  readonly taskId: string | null;
}

/** The id under which the editor shows the image of a blind task: the boxes are those of the task, not of the image. */
export const taskPictureId = (taskId: string, imageId: string): string => `task:${taskId}:${imageId}`;

/** What the editor shows under an id. */
export function pictureOfId(id: string): TaskPicture {
  const [, taskId = null, imageId = id] = /^task:([^:]+):(.*)$/s.exec(id) ?? [];
  return { imageId, taskId };
}
