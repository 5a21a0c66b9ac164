import { AccountError } from '../../../remote/account/account-error.ts';
import type { Account, AccountEntry } from '../../../remote/account/account.ts';
import { watchPart } from '../../../remote/account/watched-part.ts';
import { hostOf } from '../../../remote/live-machine/host-of.ts';
import { whyPageCannotCall, type PeerAddress } from '../../../remote/live-machine/machine-address.ts';
import { serverAddress } from '../../../remote/outbox/outbox-target.ts';
import { keyHolder, typedOrKept } from '../../../remote/outbox/target-keys.ts';
import type { WatchedConfig } from '../../../platform/ports/watched-config.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { AccountPort } from './account-port.ts';
import { listMachines, type FoundMachine } from './found-machines.ts';
import { WriteError, writeFaultOf, type WriteFault } from './write-error.ts';

const MEMORY_KEY = 'account';
const publicAddress = 'https://app.viam.com';

/** The levels that are selected one after the other, down to a part. */
const kinds = ['organization', 'location', 'machine', 'part'] as const;
export type AccountLevelKind = (typeof kinds)[number];

export interface AccountLevel {
  readonly kind: AccountLevelKind;
  readonly options: readonly AccountEntry[];
  /** '': none yet */
  readonly chosen: string;
}

/** The connection to an account service, and the selected machine part. */
export class AccountState {
  readonly #port: AccountPort;
  readonly #memory: MemoryPort;
  #account = $state.raw<Account | null>(null);
  #url = $state('');
  /** The levels from the organization down, as far as something was selected. */
  levels = $state.raw<readonly AccountLevel[]>([]);
  /** The machines of all locations of the organization; none until they are listed, or where the key may not list them. */
  machines = $state.raw<readonly FoundMachine[]>([]);
  #listing: AbortController | null = null;
  fault = $state.raw<WriteFault | null>(null);
  #asking = $state.raw<AbortController | null>(null);
  /** the address that a person typed */
  public address = $state(publicAddress);
  public keyId = $state('');
  /** stored only if the person asks for it, and then encrypted */
  public key = $state('');
  public keepKey = $state(false);
  /** selected or typed */
  public partId = $state('');

  constructor(port: AccountPort, memory: MemoryPort) {
    this.#port = port;
    this.#memory = memory;
    const before = recall(memory, MEMORY_KEY) as { address?: unknown; keyId?: unknown; partId?: unknown } | null;
    if (typeof before?.address === 'string') this.address = before.address;
    if (typeof before?.keyId === 'string') this.keyId = before.keyId;
    if (typeof before?.partId === 'string') this.partId = before.partId;
  }

  get isConnected(): boolean {
    return this.#account !== null;
  }
  /** "app.viam.com" */
  get host(): string {
    return hostOf(this.#url);
  }
  get busy(): boolean {
    return this.#asking !== null;
  }

  /** Logs in, and lists what the key has access to. */
  connect(): Promise<void> {
    this.disconnect();
    return this.#ask(async (signal) => {
      const url = serverAddress(this.address.trim());
      const barred = whyPageCannotCall(url, this.#port.pageUrl);
      if (barred) throw new WriteError(barred.message, barred.cure);
      const account = await this.#logIn(url);
      const options = await this.#organizations(account, signal);
      if (signal.aborted) return;
      this.#account = account;
      this.#url = url;
      this.key = '';
      this.#remember();
      if (options) await this.#show([], options, signal);
    });
  }

  async #logIn(url: string): Promise<Account> {
    const id = this.keyId.trim();
    const holder = keyHolder('account', url, id);
    const secret = id === '' ? null : await typedOrKept(await this.#port.keys(), holder, this.key.trim(), this.keepKey);
    if (secret !== null) return this.#port.open(url, { id, secret });
    throw new WriteError(
      id === '' ? 'No key id is given.' : 'No key is given, and none was kept for this address and id.',
      'Make an API key in the settings of the organization, location or machine, and give its id and the key.',
    );
  }

  /** null: the key belongs to one machine or location, and may not list organizations */
  async #organizations(account: Account, signal: AbortSignal): Promise<readonly AccountEntry[] | null> {
    try {
      return await account.organizations(signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof AccountError) || error.code !== 'not-allowed') throw error;
      this.fault = { message: error.message, cure: 'Give the id of the part: the key may belong to a single machine.' };
      return null;
    }
  }

  /** Selects an entry of a level and lists what is in it; a single entry is selected at once. */
  choose(kind: AccountLevelKind, id: string): Promise<void> {
    const at = kinds.indexOf(kind);
    const level = this.levels[at]!;
    this.partId = '';
    return this.#ask((signal) => this.#show(this.levels.slice(0, at), level.options, signal, id));
  }

  /** Selects a machine, and its location. */
  async chooseMachine({ id, location }: FoundMachine): Promise<void> {
    await this.choose('location', location.id);
    const level = this.levels[kinds.indexOf('machine')];
    const isListed = level?.options.some((option) => option.id === id);
    if (isListed && level?.chosen !== id) await this.choose('machine', id);
  }

  async #listMachines(locations: readonly AccountEntry[]): Promise<void> {
    this.#listing?.abort();
    const { signal } = (this.#listing = new AbortController());
    this.machines = [];
    const found = await listMachines(this.#account!, locations, signal).catch(() => []); // the levels list them, too
    if (!signal.aborted) this.machines = found;
  }

  /**
   * Shows a level below the earlier ones, and continues below it while there is only one entry. Of the parts, the
   * main one is selected.
   */
  async #show(
    above: readonly AccountLevel[],
    options: readonly AccountEntry[],
    signal: AbortSignal,
    id?: string,
  ): Promise<void> {
    const kind = kinds[above.length]!;
    const isClear = options.length === 1 || kind === 'part';
    const chosen = id ?? (isClear ? (options[0]?.id ?? '') : '');
    const levels = [...above, { kind, options, chosen }];
    this.levels = levels;
    if (kind === 'part' && chosen !== '') this.partId = chosen;
    if (kind === 'part' || chosen === '') return;
    const below = await this.#listBelow(kind, chosen, signal);
    if (signal.aborted) return;
    if (kind === 'organization') void this.#listMachines(below);
    await this.#show(levels, below, signal);
  }

  #listBelow(
    kind: Exclude<AccountLevelKind, 'part'>,
    id: string,
    signal: AbortSignal,
  ): Promise<readonly AccountEntry[]> {
    const account = this.#account!;
    if (kind === 'organization') return account.locations(id, signal);
    if (kind === 'location') return account.machines(id, signal);
    return account.parts(id, signal);
  }

  /** The configuration of the selected part. Rejects with AccountError. */
  async watch(): Promise<WatchedConfig> {
    const partId = this.partId.trim();
    const watched = await watchPart(this.#account!, partId, `${this.host}, part ${partId}`);
    this.#remember();
    return watched;
  }

  /** The address of the selected part for WebRTC. Rejects with AccountError or WriteError. */
  async peer(): Promise<PeerAddress> {
    const partId = this.partId.trim();
    const { name, host } = await this.#account!.part(partId);
    if (host === '') {
      throw new WriteError(
        `${this.host} gives no address for ${name || partId}.`,
        'Type the address of the machine instead.',
      );
    }
    this.#remember();
    return { host, via: this.#url };
  }

  disconnect(): void {
    this.#asking?.abort();
    this.#asking = null;
    this.#account = null;
    this.#url = '';
    this.levels = [];
    this.#listing?.abort();
    this.machines = [];
    this.fault = null;
  }

  #remember(): void {
    const { address, keyId, partId } = this;
    remember(this.#memory, MEMORY_KEY, { address, keyId, partId });
  }

  /** A later request cancels one that is not answered yet. */
  async #ask(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    this.fault = null;
    try {
      await work(asking.signal);
    } catch (error) {
      if (!asking.signal.aborted) this.fault = writeFaultOf(error, 'Fix that, then connect again.');
    } finally {
      if (this.#asking === asking) this.#asking = null;
    }
  }
}
