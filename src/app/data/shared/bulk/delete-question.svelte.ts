import { capturesOfImages, removeCaptures } from '../../../../remote/outbox/captures-of-images.ts';
import { browserTarget } from '../../../../remote/outbox/outbox-target.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';
import { memoizeByObject } from '../../../../base/schedule/memoize-by-object.ts';
import type { DataContext } from '../../context/data-context.ts';
import { PendingDelete } from '../../../kit/edits/pending-delete.svelte.ts';

/** Files to be deleted, some of which are also captures that the bench keeps. */
interface AskedDelete {
  readonly ids: ReadonlySet<string>;
  readonly noun: string;
  readonly onDeleted: () => void;
  /** capture ids by file id */
  readonly captureIds: ReadonlyMap<string, string>;
}

const none: ReadonlyMap<string, string> = new Map();

type Ports = Pick<DataContext, 'announce' | 'captures' | 'server' | 'data'>;
const copiesIn = ({ captures, outbox, outboxStore }: CaptureHost) => ({ captures, outbox, store: outboxStore });

/**
 * Deletes files of a data service. If some are also captures, it asks first whether to delete these too: otherwise the
 * deleted pictures would still be in this browser.
 */
export class DeleteQuestion {
  readonly pending: PendingDelete;
  readonly #context: Ports;
  /** The open question; null: there is none. */
  asked = $state.raw<AskedDelete | null>(null);
  /** for the pending deletion: the captures that are deleted too, by file id */
  #leaving: ReadonlyMap<string, string> = none;

  constructor(context: Ports) {
    this.#context = context;
    this.pending = new PendingDelete({
      announce: (sentence) => context.announce(sentence),
      remove: (ids) => this.#remove(ids),
      now: () => performance.now(),
      tick(run) {
        const timer = setInterval(run, 250);
        return () => clearInterval(timer);
      },
    });
  }

  /** Starts the ten seconds in which a deletion can be cancelled, or asks first. */
  async begin(ids: ReadonlySet<string>, noun: string, onDeleted: () => void): Promise<void> {
    const captureIds = await this.#capturesOf(ids);
    const asked = { ids, noun, onDeleted, captureIds };
    if (captureIds.size > 0) this.asked = asked;
    else await this.#start(asked, none);
  }

  /** `both`: captures are deleted too; `files`: they stay in this browser; `none`: nothing is deleted. */
  async answer(what: 'both' | 'files' | 'none'): Promise<void> {
    const asked = this.asked;
    this.asked = null;
    if (asked && what !== 'none') await this.#start(asked, what === 'both' ? asked.captureIds : none);
  }

  async #start({ ids, noun, onDeleted }: AskedDelete, leaving: ReadonlyMap<string, string>): Promise<void> {
    await this.pending.now(); // an earlier deletion goes first, with its own captures
    this.#leaving = leaving;
    await this.pending.begin(ids, noun, onDeleted);
  }

  async #capturesOf(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    try {
      const { captures } = await this.#context.captures.open();
      return await capturesOfImages(copiesIn(captures.host), ids, this.#context.server?.id ?? browserTarget.id);
    } catch {
      return none; // captures cannot be read, so none are known
    }
  }

  async #remove(ids: readonly string[]): Promise<void> {
    const leaving = this.#leaving;
    await this.#context.data.deleteBinaryDataByIDs({ binaryDataIds: [...ids] });
    const captureIds = ids.flatMap((id) => leaving.get(id) ?? []);
    if (captureIds.length === 0) return;
    const { captures } = await this.#context.captures.open();
    await removeCaptures(copiesIn(captures.host), captureIds);
  }
}

/** One for each data service and all tabs, so that a deletion can be undone from every tab. */
export const deleteQuestionOf = memoizeByObject((context: DataContext) => new DeleteQuestion(context));
