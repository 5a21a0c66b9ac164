import { EditHistory } from '../../kit/edits/edit-history.svelte.ts';
import type { AnnotatedBox, BoxChange } from './annotated-box.ts';

/** The boxes on one image, which of them are selected, and every edit, which can be undone. */
export class BoxesState {
  readonly #history = new EditHistory<readonly BoxChange[]>();
  /** The place of a box in the list, from when it was first seen: undoing a removal puts it back there. */
  readonly #placeOf = new Map<string, number>();
  #boxes = $state.raw<readonly AnnotatedBox[]>([]);
  #preview = $state.raw<readonly BoxChange[]>([]);
  #selected = $state.raw<readonly string[]>([]);
  readonly #isSelected = $derived.by(() => new Set(this.#selected));
  readonly #byKey = $derived.by(() => new Map(this.#boxes.map((box) => [box.key, box])));
  readonly #onEdit: () => void;

  /** @param onEdit called after every edit, before anything else learns of it */
  constructor(onEdit: () => void = () => {}) {
    this.#onEdit = onEdit;
  }

  /** The boxes without what a drag under way changes. */
  get boxes(): readonly AnnotatedBox[] {
    return this.#boxes;
  }

  /** The boxes as the stage draws them: with what the drag under way changes. */
  readonly shown: readonly AnnotatedBox[] = $derived.by(() => changed(this.#boxes, this.#preview));

  readonly predictions: readonly AnnotatedBox[] = $derived.by(() => this.#boxes.filter(({ predicted }) => predicted));

  readonly selection: readonly AnnotatedBox[] = $derived.by(() =>
    this.#boxes.filter(({ key }) => this.#isSelected.has(key)),
  );

  /** The box whose handles are shown: the only one selected. */
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

  /** Adds the box to the selection, or takes it out. */
  toggle(key: string): void {
    this.select(this.isSelected(key) ? this.#selected.filter((other) => other !== key) : [...this.#selected, key]);
  }

  /** Whether there is a box after the selected one, or before it. */
  hasNext(by: 1 | -1): boolean {
    return this.#nextTo(by) !== undefined;
  }

  /** Selects it; from none, the first or the last. */
  selectNext(by: 1 | -1): void {
    const next = this.#nextTo(by);
    if (next) this.select([next.key]);
  }

  #nextTo(by: 1 | -1): AnnotatedBox | undefined {
    const at = this.#boxes.findIndex(({ key }) => key === this.#selected.at(-1));
    if (at < 0) return this.#boxes.at(by > 0 ? 0 : -1);
    return this.#boxes[at + by];
  }

  /** Shows what a drag would do; nothing is done yet. */
  preview(changes: readonly BoxChange[]): void {
    this.#preview = changes;
  }

  /** Does an edit, as one step of undo; edits in a row with the same coalesce key are one step. */
  edit(does: string, changes: readonly BoxChange[], coalesceKey: string | null = null): void {
    this.#preview = [];
    const news = changes.filter(({ key, box }) => box !== this.#find(key));
    if (news.length === 0) return;
    const before = news.map(({ key }) => ({ key, box: this.#find(key) }));
    this.#history.record({ label: does, before, after: news }, coalesceKey);
    this.#apply(news);
    this.#onEdit();
  }

  /** The edit that goes on ends: the next begins a step of its own. */
  settle(): void {
    this.#history.settle();
  }

  /** Takes one step back; what it was, or null when there is none. */
  undo(): string | null {
    return this.#travel(this.undoLabel, () => this.#history.undo());
  }

  redo(): string | null {
    return this.#travel(this.redoLabel, () => this.#history.redo());
  }

  #travel(does: string | null, step: () => readonly BoxChange[] | null): string | null {
    this.#preview = [];
    const changes = step();
    if (!changes) return null;
    this.#apply(changes);
    this.#selected = changes.flatMap(({ key, box }) => (box ? [key] : []));
    this.#onEdit();
    return does;
  }

  /** Begins with these boxes. */
  begin(boxes: readonly AnnotatedBox[]): void {
    this.#history.clear();
    this.#placeOf.clear();
    this.#boxes = [];
    this.#apply(boxes.map((box) => ({ key: box.key, box })));
  }

  /** Takes over what others did: no edit of this person, so undo does not take it back. */
  take(changes: readonly BoxChange[]): void {
    this.#apply(changes);
  }

  #find(key: string): AnnotatedBox | null {
    return this.#byKey.get(key) ?? null;
  }

  #apply(changes: readonly BoxChange[]): void {
    if (changes.length === 0) return;
    for (const { key } of changes) if (!this.#placeOf.has(key)) this.#placeOf.set(key, this.#placeOf.size);
    this.#boxes = changed(this.#boxes, changes).toSorted(
      (a, b) => this.#placeOf.get(a.key)! - this.#placeOf.get(b.key)!,
    );
    this.#selected = this.#selected.filter((key) => this.#find(key) !== null);
  }
}

/** The boxes after changes; new ones come last. */
function changed(boxes: readonly AnnotatedBox[], changes: readonly BoxChange[]): readonly AnnotatedBox[] {
  if (changes.length === 0) return boxes;
  const changeOf = new Map(changes.map((change) => [change.key, change.box]));
  const present = new Set(boxes.map(({ key }) => key));
  return [
    ...boxes.flatMap((box) => (changeOf.has(box.key) ? (changeOf.get(box.key) ?? []) : [box])),
    ...changes.flatMap(({ key, box }) => (box && !present.has(key) ? [box] : [])),
  ];
}
