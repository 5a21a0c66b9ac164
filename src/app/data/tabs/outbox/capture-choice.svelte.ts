import type { CaptureStore } from '../../../../capture/capture-store.ts';
import type { KeptItem, KeptList } from '../../../captures/kept-list.svelte.ts';
import { RowChoice } from '../../shared/grid/row-choice.svelte.ts';

type ChoiceStore = Pick<CaptureStore, 'page' | 'get' | 'correct'>;

/** Which of the captures are chosen, and what is done to them. */
export class CaptureChoice extends RowChoice {
  readonly #list: KeptList;
  readonly #store: ChoiceStore;
  readonly #isLeaving: (id: string) => boolean;

  /** `isLeaving`: about to be deleted. */
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

  /** The ids that are chosen, oldest first, which is the order they are sent in; without those about to be deleted. */
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

  /** Adds tags to what is chosen, or takes them off. Resolves to how many captures were changed. @throws CaptureStoreError */
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
