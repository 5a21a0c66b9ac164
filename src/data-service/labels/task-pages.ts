import { positionOfCreated, type LabelStore, type LabelTask, type TaskFilter } from '../ports/label-store.ts';
import { pagesOf } from '../pages/pages-of.ts';

/** All tasks of a filter, the oldest first, page by page: of tasks with many boxes fewer come at a time than `most`. */
export const taskPages = (
  labels: Pick<LabelStore, 'listTasks'>,
  filter: TaskFilter,
  most: number,
): AsyncGenerator<readonly LabelTask[], void> =>
  // the list ends with an empty page, not with one that is short
  pagesOf((after) => labels.listTasks(filter, after, most), 1, positionOfCreated);
