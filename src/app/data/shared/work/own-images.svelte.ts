import type { Task } from '../../../../gen/sightglass/labels/v1/labels_pb.ts';
import type { DataContext } from '../../context/data-context.ts';
import { idSet } from './id-set.ts';
import { labelClientOf } from './label-client.ts';
import { mayReview } from './own-worker.ts';

const pageRows = 1000;
/** With more pages of tasks, only the service knows which images may be tagged. */
const mostPages = 20;

/** The images that a person may label; all, but for an annotator. */
export class OwnImages {
  readonly #context: Pick<DataContext, 'transport' | 'home' | 'refusal'>;
  /** null: all, or those are not known */
  #ids = $state.raw<ReadonlySet<string> | null>(null);

  constructor(context: Pick<DataContext, 'transport' | 'home' | 'refusal'>) {
    this.#context = context;
  }

  /** Reads which images are assigned to an annotator; those that were accepted are locked. */
  async read(signal: AbortSignal): Promise<void> {
    if (mayReview(this.#context)) return;
    const client = labelClientOf(this.#context);
    const { organizationId } = this.#context.home;
    const own: Task[] = [];
    try {
      for (let pageToken = '', pages = 0; ; pages++) {
        if (pages === mostPages) return;
        const { tasks, nextPageToken } = await client.listTasks(
          { organizationId, pageSize: pageRows, pageToken },
          { signal },
        );
        own.push(...tasks.filter(({ blind, state }) => !blind && state !== 'accepted'));
        pageToken = nextPageToken;
        if (pageToken === '') break;
      }
    } catch {
      return; // an edit says why
    }
    if (!signal.aborted) this.#ids = idSet(own.map(({ binaryDataId }) => binaryDataId));
  }

  /**
   * Why not all of the chosen images may be tagged; '' if they may, as far as it is known.
   * @param count how many are chosen
   * @param ids which they are; null: all of a list that may not be read to its end
   */
  refusalOf(count: number, ids: ReadonlySet<string> | null): string {
    const own = this.#ids;
    if (own === null) return '';
    const isAllOwn = ids === null ? count <= own.size : [...ids].every((id) => own.has(id));
    return isAllOwn ? '' : 'Some of these images are not yours to label; a reviewer may assign them.';
  }
}
