/** What boxes of a dataset may be. A trained model knows classes by their place, so the order is part of a dataset. */
export interface DatasetClass {
  readonly label: string;
  /** what COCO calls it by, whole, 0 to 2³¹ − 1; null = nobody has said */
  readonly id: number | null;
}

const mostId = 2 ** 31 - 1;

/** The number of a class that others read too: pycocotools and most trainers keep ids in 32 bits. */
export function classId(value: unknown): number | null {
  const id = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 && id <= mostId ? id : null;
}

/** Classes of several lists in one: the first place and the first id of each; an id that another class has is given up. */
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

/** The given classes in their order, and behind them every other label that occurs, sorted: whatever order pictures come in. */
export function orderClasses(used: Iterable<string>, first: readonly DatasetClass[] = []): DatasetClass[] {
  const others = [...new Set(used)].sort((a, b) => (a < b ? -1 : 1));
  return joinClasses(
    first,
    others.map((label) => ({ label, id: null })),
  );
}

/** An id for every class: its own, else the next above all; from 1 where none has one. */
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
