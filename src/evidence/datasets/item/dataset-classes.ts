/** A class of a dataset's boxes. A trained model identifies classes by index, so their order is part of the dataset. */
export interface DatasetClass {
  readonly label: string;
  /** the category id in COCO, an integer of 0 to 2³¹ − 1; null if none is given */
  readonly id: number | null;
}

const mostId = 2 ** 31 - 1;

/** The value as a class id, or null. Ids are limited to 31 bits, because pycocotools and most trainers store them as int32. */
export function classId(value: unknown): number | null {
  const id = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= mostId ? id : null;
}

/** Joins lists of classes. A class keeps its first position and its first id; an id that another class has already becomes null. */
export function joinClasses(...lists: readonly (readonly DatasetClass[])[]): DatasetClass[] {
  const joined = new Map<string, DatasetClass>();
  const taken = new Set<number>();
  for (const { label, id } of lists.flat()) {
    const known = joined.get(label);
    if (known && (known.id !== null || id === null)) continue;
    const own = id !== null && !taken.has(id) ? id : null;
    if (own !== null) taken.add(own);
    joined.set(label, { label, id: own });
  }
  return [...joined.values()];
}

/** The given classes in their order, followed by all other used labels, sorted so that the order of the pictures does not matter. */
export function orderClasses(used: Iterable<string>, first: readonly DatasetClass[] = []): DatasetClass[] {
  const others = [...new Set(used)].sort((a, b) => (a < b ? -1 : 1));
  return joinClasses(
    first,
    others.map((label) => ({ label, id: null })),
  );
}

/** Assigns an id to every class: its own, otherwise the next one above all given ids. Without given ids they start at 1. */
export function numberClasses(classes: readonly DatasetClass[]): number[] {
  const taken = new Set(classes.map(({ id }) => id));
  let next = Math.max(0, ...classes.map(({ id }) => id ?? 0)) + 1;
  if (next + classes.length > mostId) next = 1;
  return classes.map(({ id }) => {
    if (id !== null) return id;
    while (taken.has(next)) next++;
    return next++;
  });
}
