import type { Part } from '../ports/access-store.ts';

/** A machine: the parts that were registered with its id. */
export interface Machine {
  readonly id: string;
  readonly name: string;
  /** where its main part is */
  readonly locationId: string;
  /** at least one */
  readonly parts: readonly Part[];
  readonly mainPart: Part;
}

/** The machines that parts belong to, in the order of their first parts. */
export function machinesOf(parts: readonly Part[]): readonly Machine[] {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const group = groups.get(part.robotId);
    if (group === undefined) groups.set(part.robotId, [part]);
    else group.push(part);
  }
  return [...groups].map(([id, own]) => {
    const mainPart = own.find(isCalledMain) ?? own[0]!;
    return { id, name: mainPart.robotName, locationId: mainPart.locationId, parts: own, mainPart };
  });
}

/** Viam calls the main part of a new machine `<machine>-main`; Sightglass calls its first one `main`. */
const isCalledMain = ({ name, robotName }: Part): boolean => name === 'main' || name === `${robotName}-main`;
