import type { AccessStore, Part } from '../../../../data-service/face/accounts.ts';

/** Parts that were found, as every upload asks for its own. No tab deletes one: the command line does, on a server's own store. */
export class KnownParts {
  #byId = new Map<string, Part>();

  /** The part, by `read` where it is not known yet; null = there is none, which is asked again. */
  async get(id: string, read: () => Promise<Part | null>): Promise<Part | null> {
    const byId = this.#byId; // a part read off a database that is let go meanwhile belongs to that one
    const part = byId.get(id) ?? (await read());
    if (part !== null) byId.set(id, part);
    return part;
  }

  delete(id: string): void {
    this.#byId.delete(id);
  }

  forget(): void {
    this.#byId = new Map();
  }
}

/** Whoever lets go of the database forgets `parts`. */
export const rememberingParts = (access: AccessStore, parts: KnownParts): AccessStore => ({
  ...access,
  getPart: (id) => parts.get(id, () => access.getPart(id)),
  async deletePart(id) {
    await access.deletePart(id);
    parts.delete(id);
  },
});
