import type { AccessStore, RefusedLogIns as Refused, ShownLogIn } from '../../data-service/face/accounts.ts';
import { countedAddress } from '../http/client-address.ts';

const windowMs = 60_000;
/** Rows of an organization in a minute; what comes from further addresses is one more. However many attack, they fill no disk. */
const mostRows = 10;

/**
 * Writes down which keys, passkeys, invitations, accounts and database users were shown and refused, and from where: once a minute, summed
 * by these and address. Of what does not exist no organization is known, so it is only counted in the metrics.
 */
export class RefusedLogIns {
  readonly #access: Pick<AccessStore, 'getKey' | 'noteRefusedLogIns'>;
  readonly #onFailed: (error: unknown) => void;
  readonly #refused = new Map<string, Refused>();
  readonly #rows = new Map<string, number>();
  #isDue = false;

  constructor(access: Pick<AccessStore, 'getKey' | 'noteRefusedLogIns'>, onFailed: (error: unknown) => void) {
    this.#access = access;
    this.#onFailed = onFailed;
  }

  /** A secret that was shown with the id of a key was wrong. */
  async noteKey(keyId: string, address: string): Promise<void> {
    const key = await this.#access.getKey(keyId);
    if (key === null) return;
    const { id, name, organizationId } = key;
    this.note({ by: 'key', id, name, organizationId }, address);
  }

  note(shown: ShownLogIn, address: string): void {
    const { by, organizationId, id } = shown;
    const of = (from: string): string => `${organizationId} ${by} ${id} ${from}`;
    let from = countedAddress(address);
    if (!this.#refused.has(of(from))) {
      const rows = this.#rows.get(organizationId) ?? 0;
      if (rows >= mostRows) from = '';
      else this.#rows.set(organizationId, rows + 1);
    }
    const times = (this.#refused.get(of(from))?.times ?? 0) + 1;
    this.#refused.set(of(from), { shown, address: from, times });
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => void this.#write().catch(this.#onFailed), windowMs).unref();
  }

  async #write(): Promise<void> {
    const refused = [...this.#refused.values()];
    this.#refused.clear();
    this.#rows.clear();
    this.#isDue = false;
    for (const one of refused) await this.#access.noteRefusedLogIns(one);
  }
}
