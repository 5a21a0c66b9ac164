interface Entry {
  readonly state: unknown;
  readonly hash: string;
}

/** A window with a history of its own, which travels a task later, as that of a browser does. */
export function sessionHistory(hash = '', state: unknown = null) {
  const entries: Entry[] = [{ state: null, hash }];
  const listeners = new Set<() => void>();
  const location = { hash };
  let at = 0;
  if (state) at = entries.push({ state, hash }) - 1;
  const go = (by: number): void => {
    setTimeout(() => {
      if (!entries[at + by]) return;
      at += by;
      location.hash = entries[at]!.hash;
      for (const listener of [...listeners]) listener();
    });
  };
  const history = {
    get state() {
      return entries[at]!.state;
    },
    pushState(state: unknown, _: string, to?: string) {
      entries.splice(++at, entries.length, { state, hash: to ?? location.hash });
      location.hash = entries[at]!.hash;
    },
    replaceState(state: unknown, _: string, to?: string) {
      entries[at] = { state, hash: to ?? location.hash };
      location.hash = entries[at]!.hash;
    },
    back: () => go(-1),
    forward: () => go(1),
  };
  const addEventListener = (type: string, listener: () => void, { once = false } = {}) => {
    if (type !== 'popstate') return;
    const called = () => (once && listeners.delete(called), listener());
    listeners.add(called);
  };
  return {
    page: { location, history, addEventListener, removeEventListener: () => undefined } as unknown as Window,
    entries,
    /** the entry that is shown */
    get at() {
      return at;
    },
    /** Goes back or forward, and waits until whatever follows from it is over. */
    async travel(direction: 'back' | 'forward') {
      history[direction]();
      await this.rest();
    },
    async rest() {
      for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setTimeout(resolve));
    },
  };
}
