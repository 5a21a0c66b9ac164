/**
 * Memoizes a function by its first argument, an object, in a WeakMap: the result lives as long as that object. So
 * the state of a data service survives opening and leaving tabs, and what is computed from a frame is computed
 * once.
 */
export function memoizeByObject<Owner extends WeakKey, One, Rest extends readonly unknown[]>(
  create: (owner: Owner, ...rest: Rest) => One,
): (owner: Owner, ...rest: Rest) => One {
  const made = new WeakMap<Owner, { readonly one: One }>();
  return (owner, ...rest) => {
    const known = made.get(owner) ?? { one: create(owner, ...rest) };
    made.set(owner, known);
    return known.one;
  };
}
