/**
 * Resolves when the work that is under way now under names with this prefix is done, in this window and all others of the
 * browser; work that begins meanwhile is not waited for. At once where the browser knows no locks.
 */
export async function whenReleased(locks: LockManager | undefined, prefix: string): Promise<void> {
  if (!locks) return;
  const { held = [], pending = [] } = await locks.query();
  const names = new Set([...held, ...pending].flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : [])));
  await Promise.all(Array.from(names, (name) => locks.request(name, () => undefined)));
}
