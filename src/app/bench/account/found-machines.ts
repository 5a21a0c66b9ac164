import type { Account, AccountEntry } from '../../../remote/account/account.ts';

/** A machine of an account, and where it is. */
export interface FoundMachine extends AccountEntry {
  readonly location: AccountEntry;
}

/** Locations whose machines are asked for at the same time. */
const locationsAtATime = 4;

/** The machines of all locations. Rejects with AccountError. */
export async function listMachines(
  account: Pick<Account, 'machines'>,
  locations: readonly AccountEntry[],
  signal: AbortSignal,
): Promise<readonly FoundMachine[]> {
  const found: FoundMachine[] = [];
  for (let at = 0; at < locations.length; at += locationsAtATime) {
    const listed = locations.slice(at, at + locationsAtATime).map(async (location) => {
      const machines = await account.machines(location.id, signal);
      return machines.map((machine) => ({ ...machine, location }));
    });
    found.push(...(await Promise.all(listed)).flat());
  }
  return found;
}

/** Those whose name and location have each of the typed words, those that are online first, then by name. */
export function matchingMachines(machines: readonly FoundMachine[], typed: string): readonly FoundMachine[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isOffline = ({ seen }: FoundMachine): number => Number(seen?.isOnline === false);
  return machines
    .filter(({ name, id, location }) => {
      const text = `${name || id} ${location.name || location.id}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => isOffline(a) - isOffline(b) || a.name.localeCompare(b.name, 'en'));
}
