import type { CaptureStore } from '../../../../evidence/capture/capture-store.ts';
import type { KeptItem, KeptList } from '../../../captures/kept-list.svelte.ts';
import { RowChoice } from '../../shared/grid/row-choice.svelte.ts';

type ChoiceStore = Pick<CaptureStore, 'page' | 'get' | 'correct'>;

/** The chosen captures, and the actions on them. */
export class CaptureChoice extends RowChoice {
  readonly #list: KeptList;
  readonly #store: ChoiceStore;
  readonly #isLeaving: (id: string) => boolean;

  /** `isLeaving` says whether the deletion of a capture is pending. */
  constructor(list: KeptList, store: ChoiceStore, isLeaving: (id: string) => boolean) {
    super(() => ({
      count: list.count,
      idAt: (index) => list.items[index]?.id,
      idsBetween: async (from, to) => {
        const [first, end] = [Math.min(from, to), Math.max(from, to) + 1];
        await list.want(end);
        return list.items.slice(first, end).map(({ id }) => id);
      },
    }));
    this.#list = list;
    this.#store = store;
    this.#isLeaving = isLeaving;
  }

  get count(): number {
    return this.selection.count(this.#list.count);
  }

  item(index: number): KeptItem | undefined {
    return this.#list.items[index];
  }

  /** The ids of the chosen captures, oldest first: the order of sending. Those with a pending deletion are left out. */
  async ids(): Promise<readonly string[]> {
    const ids = this.selection.isAll ? await this.#allIds() : [...this.selection.ids];
    return ids.filter((id) => !this.#isLeaving(id)).toSorted();
  }

  async #allIds(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let before: string | null = null; ;) {
      const page: readonly { readonly id: string }[] = await this.#store.page(before, 500);
      ids.push(...page.map(({ id }) => id).filter((id) => this.selection.has(id)));
      if (page.length < 500) return ids;
      before = page.at(-1)!.id;
    }
  }

  /** Adds tags to the chosen captures, or removes them. Resolves to the number of changed captures. @throws CaptureStoreError */
  async tag(tags: readonly string[], on: boolean, nowMs: number): Promise<number> {
    let changed = 0;
    for (const id of await this.ids()) {
      const capture = await this.#store.get(id);
      if (!capture) continue;
      const others = capture.tags.filter((tag) => !tags.includes(tag));
      await this.#store.correct(id, { tags: on ? [...others, ...tags] : others }, nowMs);
      changed++;
    }
    return changed;
  }
}
