/**
 * Makes one of something for each owner, when it is first asked for. It lasts as long as its owner: what belongs to a data
 * service goes on while tabs are opened and left, what was made of a frame is made once.
 */
export function oneForEach<Owner extends WeakKey, One, Rest extends readonly unknown[]>(
  create: (owner: Owner, ...rest: Rest) => One,
): (owner: Owner, ...rest: Rest) => One {
  const made = new WeakMap<Owner, { readonly one: One }>();
  return (owner, ...rest) => {
    const known = made.get(owner) ?? { one: create(owner, ...rest) };
    made.set(owner, known);
    return known.one;
  };
}
