import { EditHistory } from '../../../kit/edits/edit-history.svelte.ts';
import type { AnnotatedBox, BoxChange } from './annotated-box.ts';

/** The boxes of one image, the selection, and every edit, with undo. */
export class BoxesState {
  readonly #history = new EditHistory<readonly BoxChange[]>();
  /** The position of each box in the list by key, kept after a removal so that undo restores it there. */
  readonly #placeOf = new Map<string, number>();
  /** The boxes without the current drag. */
  boxes = $state.raw<readonly AnnotatedBox[]>([]);
  #preview = $state.raw<readonly BoxChange[]>([]);
  #selected = $state.raw<readonly string[]>([]);
  readonly #isSelected = $derived.by(() => new Set(this.#selected));
  readonly #byKey = $derived.by(() => new Map(this.boxes.map((box) => [box.key, box])));
  readonly #onEdit: () => void;
  /** Why the person may not draw here; '' if they may. Then edits, undo and redo do nothing. */
  public lock = $state('');
  /** How many edits were refused because of the lock. */
  public refusals = $state(0);
  #wasRefused = false;

  /** @param onEdit called after every edit, before observers see it */
  constructor(onEdit: () => void = () => {}) {
    this.#onEdit = onEdit;
  }

  /** The boxes as the stage draws them: with the current drag. */
  readonly shown: readonly AnnotatedBox[] = $derived.by(() => changed(this.boxes, this.#preview));

  readonly predictions: readonly AnnotatedBox[] = $derived.by(() => this.boxes.filter(({ predicted }) => predicted));

  readonly selection: readonly AnnotatedBox[] = $derived.by(() =>
    this.boxes.filter(({ key }) => this.#isSelected.has(key)),
  );

  /** The box whose handles are shown: the only selected one. */
  readonly single: AnnotatedBox | null = $derived.by(() => {
    const [box, ...others] = this.selection;
    return box && others.length === 0 ? (this.shown.find(({ key }) => key === box.key) ?? null) : null;
  });

  get undoLabel(): string | null {
    return this.#history.undoLabel;
  }
  get redoLabel(): string | null {
    return this.#history.redoLabel;
  }

  isSelected(key: string): boolean {
    return this.#isSelected.has(key);
  }

  select(keys: readonly string[]): void {
    this.#history.settle();
    this.#selected = keys;
  }

  /** Adds the box to the selection, or removes it. */
  toggle(key: string): void {
    this.select(this.isSelected(key) ? this.#selected.filter((other) => other !== key) : [...this.#selected, key]);
  }

  /** Whether there is a box after (1) or before (-1) the selected one. */
  hasNext(by: 1 | -1): boolean {
    return this.#nextTo(by) !== undefined;
  }

  /** Selects the next or previous box; without a selection, the first or the last. */
  selectNext(by: 1 | -1): void {
    const next = this.#nextTo(by);
    if (next) this.select([next.key]);
  }

  #nextTo(by: 1 | -1): AnnotatedBox | undefined {
    const at = this.boxes.findIndex(({ key }) => key === this.#selected.at(-1));
    if (at < 0) return this.boxes.at(by > 0 ? 0 : -1);
    return this.boxes[at + by];
  }

  /** Shows the result of a drag without applying it. */
  preview(changes: readonly BoxChange[]): void {
    this.#preview = changes;
  }

  /** Applies an edit as one undo step; consecutive edits with the same coalesce key share one step. */
  edit(does: string, changes: readonly BoxChange[], coalesceKey: string | null = null): void {
    this.#preview = [];
    if (this.refuses()) return;
    const news = changes.filter(({ key, box }) => box !== this.#find(key));
    if (news.length === 0) return;
    const before = news.map(({ key }) => ({ key, box: this.#find(key) }));
    this.#history.record({ label: does, before, after: news }, coalesceKey);
    this.#apply(news);
    this.#onEdit();
  }

  /** Whether an edit is refused because of the lock; then it counts as one, and the reason is shown. */
  refuses(): boolean {
    if (this.lock === '') return false;
    this.refusals++;
    return (this.#wasRefused = true);
  }

  /** Whether an edit was refused since the last call. */
  takeRefusal(): boolean {
    const was = this.#wasRefused;
    this.#wasRefused = false;
    return was;
  }

  /** Ends coalescing: the next edit begins a step of its own. */
  settle(): void {
    this.#history.settle();
  }

  /** Undoes one step and returns its name; null if there is none. */
  undo(): string | null {
    return this.#travel(this.undoLabel, () => this.#history.undo());
  }

  redo(): string | null {
    return this.#travel(this.redoLabel, () => this.#history.redo());
  }

  #travel(does: string | null, step: () => readonly BoxChange[] | null): string | null {
    this.#preview = [];
    if (this.refuses()) return null;
    const changes = step();
    if (!changes) return null;
    this.#apply(changes);
    this.#selected = changes.flatMap(({ key, box }) => (box ? [key] : []));
    this.#onEdit();
    return does;
  }

  /** Starts with these boxes and an empty history. */
  begin(boxes: readonly AnnotatedBox[]): void {
    this.#history.clear();
    this.#placeOf.clear();
    this.boxes = [];
    this.#apply(boxes.map((box) => ({ key: box.key, box })));
  }

  /** Applies others' changes: they are not this person's edits, so undo does not revert them. */
  take(changes: readonly BoxChange[]): void {
    this.#apply(changes);
  }

  #find(key: string): AnnotatedBox | null {
    return this.#byKey.get(key) ?? null;
  }

  #apply(changes: readonly BoxChange[]): void {
    if (changes.length === 0) return;
    for (const { key } of changes) if (!this.#placeOf.has(key)) this.#placeOf.set(key, this.#placeOf.size);
    this.boxes = changed(this.boxes, changes).toSorted((a, b) => this.#placeOf.get(a.key)! - this.#placeOf.get(b.key)!);
    this.#selected = this.#selected.filter((key) => this.#find(key) !== null);
  }
}

/** The boxes after changes; new boxes come last. */
function changed(boxes: readonly AnnotatedBox[], changes: readonly BoxChange[]): readonly AnnotatedBox[] {
  if (changes.length === 0) return boxes;
  const changeOf = new Map(changes.map((change) => [change.key, change.box]));
  const present = new Set(boxes.map(({ key }) => key));
  return [
    ...boxes.flatMap((box) => (changeOf.has(box.key) ? (changeOf.get(box.key) ?? []) : [box])),
    ...changes.flatMap(({ key, box }) => (box && !present.has(key) ? [box] : [])),
  ];
}
