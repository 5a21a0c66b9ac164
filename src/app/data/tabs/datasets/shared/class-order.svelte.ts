import {
  classId,
  type DatasetClass,
  joinClasses,
  numberClasses,
  orderClasses,
} from '../../../../../evidence/datasets/face/items.ts';
import { recall, remember, type MemoryPort } from '../../../../kit/memory/remembered.ts';
import type { DatasetReading } from './dataset-reading.svelte.ts';

const keyOf = (datasetId: string): string => `classes-${datasetId}`;

function recallClasses(memory: MemoryPort, datasetId: string): readonly DatasetClass[] {
  const before = recall(memory, keyOf(datasetId));
  return (Array.isArray(before) ? (before as unknown[]) : []).flatMap((one) => {
    const { label, id } = (one ?? {}) as Record<string, unknown>;
    return typeof label === 'string' ? [{ label, id: classId(id) }] : [];
  });
}

/** Stores the classes of an import with its dataset, behind those that the dataset has already. */
export function rememberClasses(memory: MemoryPort, datasetId: string, imported: readonly DatasetClass[]): void {
  if (imported.length > 0) remember(memory, keyOf(datasetId), joinClasses(recallClasses(memory, datasetId), imported));
}

/** The classes of a dataset in the order in which exports number them. Stored in this browser, like splits. */
export class ClassOrder {
  readonly #reading: Pick<DatasetReading, 'pictures'>;
  readonly #memory: MemoryPort;
  readonly #datasetId: string;
  #first: readonly DatasetClass[] = $state.raw([]);

  constructor(reading: Pick<DatasetReading, 'pictures'>, memory: MemoryPort, datasetId: string) {
    this.#reading = reading;
    this.#memory = memory;
    this.#datasetId = datasetId;
    this.#first = recallClasses(memory, datasetId);
  }

  /** Imported and moved classes first, then the others, sorted. */
  readonly classes: readonly DatasetClass[] = $derived.by(() => {
    const boxes = (this.#reading.pictures ?? []).flatMap((picture) => picture.boxes);
    return orderClasses(
      boxes.map(({ label }) => label),
      this.#first,
    );
  });

  /** the id of each class in COCO */
  readonly ids: readonly number[] = $derived(numberClasses(this.classes));

  /** Whether an import or a person set an order: then exports write it. */
  get isGiven(): boolean {
    return this.#first.length > 0;
  }

  /** Whether any class has an id of its own. */
  get hasIds(): boolean {
    return this.#first.some(({ id }) => id !== null);
  }

  /** the classes for an export */
  get given(): readonly DatasetClass[] {
    return this.isGiven ? this.classes : [];
  }

  /** Moves a class to another position, counted from 0. */
  move(label: string, place: number): void {
    const moved = this.classes.find((one) => one.label === label);
    if (!moved || place < 0 || place >= this.classes.length) return;
    this.#keep(this.classes.filter((one) => one !== moved).toSpliced(place, 0, moved));
  }

  /** Sorts by name. */
  sort(): void {
    this.#keep(this.classes.toSorted((a, b) => (a.label < b.label ? -1 : 1)));
  }

  /** Drops the imported ids: classes are numbered 1, 2, 3 … */
  renumber(): void {
    this.#keep(this.classes.map(({ label }) => ({ label, id: null })));
  }

  #keep(classes: readonly DatasetClass[]): void {
    this.#first = classes;
    remember(this.#memory, keyOf(this.#datasetId), classes);
  }
}
