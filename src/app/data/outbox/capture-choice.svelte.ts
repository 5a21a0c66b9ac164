import type { CaptureStore } from '../../../capture/capture-store.ts';
import type { KeptItem, KeptList } from '../../capture/kept-list.svelte.ts';
import { RowSelection } from '../grid/row-selection.svelte.ts';

type ChoiceStore = Pick<CaptureStore, 'page' | 'get' | 'correct'>;

/** Which of the captures are chosen, and what is done to them. */
export class CaptureChoice {
  readonly #list: KeptList;
  readonly #store: ChoiceStore;
  readonly #isLeaving: (id: string) => boolean;
  readonly selection = new RowSelection();
  #current = $state(0);
  #anchor = 0;

  /** `isLeaving`: about to be deleted. */
  constructor(list: KeptList, store: ChoiceStore, isLeaving: (id: string) => boolean) {
    this.#list = list;
    this.#store = store;
    this.#isLeaving = isLeaving;
  }

  /** The cell that has the keyboard. */
  get current(): number {
    return Math.min(this.#current, Math.max(0, this.#list.count - 1));
  }

  get count(): number {
    return this.selection.count(this.#list.count);
  }

  item(index: number): KeptItem | undefined {
    return this.#list.items[index];
  }

  moveTo(index: number): void {
    this.#current = index;
  }

  /** Selects as file managers do: one alone, one more (toggle), or all from the last one (extend). */
  async choose(
    index: number,
    { extend, toggle }: { readonly extend: boolean; readonly toggle: boolean },
  ): Promise<void> {
    this.#current = index;
    if (!extend) {
      this.#anchor = index;
      const id = this.item(index)?.id;
      if (id === undefined) return;
      if (toggle) this.selection.toggle(id);
      else this.selection.set([id]);
      return;
    }
    const [first, end] = [Math.min(this.#anchor, index), Math.max(this.#anchor, index) + 1];
    await this.#list.want(end);
    if (this.#current !== index) return; // another one was chosen while the rows were read
    const ids = this.#list.items.slice(first, end).map(({ id }) => id);
    if (toggle) this.selection.add(ids);
    else this.selection.set(ids);
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
