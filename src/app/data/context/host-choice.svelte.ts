import type { ServerTarget } from '../../../outbox/outbox-target.ts';
import type { CaptureHost } from '../../captures/capture-host.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { DataHost } from './data-host.ts';
import { memoizeByObject } from '../../../schedule/memoize-by-object.ts';
import { reachServer, troubleOf, type HostTrouble } from './reach-server.ts';

/** Whose data the data area shows: '' is this browser, otherwise the id of a server. */
export type HostId = string;
export const browserHostId: HostId = '';

/** Access to the servers that the outbox knows, with their keys. */
export type ServerAccess = Pick<CaptureHost, 'connectServer' | 'outbox'> & {
  readonly outboxStore: Pick<CaptureHost['outboxStore'], 'targets' | 'onChange'>;
};

const choiceKey = 'data-host';
const organizationsKey = 'data-host-organizations';

/** The choice of the data service that the data area shows: this browser's, or a server's. */
export class HostChoice {
  readonly #browser: DataHost;
  readonly #openAccess: () => Promise<ServerAccess>;
  readonly #memory: MemoryPort;
  #access: ServerAccess | null = null;
  /** The servers to choose from. */
  servers = $state.raw<readonly ServerTarget[]>([]);
  id = $state<HostId>(browserHostId);
  /** The shown host; null while its server is asked, or cannot be reached. */
  host = $state.raw<DataHost | null>(null);
  trouble = $state.raw<HostTrouble | null>(null);
  #connecting: AbortController | null = null;

  constructor(browser: DataHost, openAccess: () => Promise<ServerAccess>, memory: MemoryPort) {
    this.#browser = browser;
    this.#openAccess = openAccess;
    this.#memory = memory;
    const chosen = recall(memory, choiceKey);
    if (typeof chosen === 'string' && chosen !== browserHostId) {
      this.id = chosen;
      void this.#connect();
    } else this.host = browser;
  }

  /** The chosen server; null for this browser, and until the servers are read. */
  get server(): ServerTarget | null {
    return this.servers.find(({ id }) => id === this.id) ?? null;
  }

  /** Reads the servers, now and whenever they change. Returns a function that stops this. */
  async watchServers(): Promise<() => void> {
    const access = await this.#open();
    await this.#readServers(access);
    return access.outboxStore.onChange(() => void this.#readServers(access));
  }

  /** Shows the data of this browser or of a server, also after a reload. */
  async choose(id: HostId): Promise<void> {
    this.id = id;
    remember(this.#memory, choiceKey, id);
    await this.#connect();
  }

  /** Uses a key that the person typed for the chosen server. */
  async giveKey(key: string, keep: boolean): Promise<void> {
    const { server } = this;
    if (!server) return;
    await (await this.#open()).outbox.giveKey(server, key, keep);
    await this.#connect();
  }

  /** Uses the organization that the person typed for the chosen server, which does not name it. */
  async giveOrganization(organizationId: string): Promise<void> {
    remember(this.#memory, organizationsKey, { ...this.#organizations(), [this.id]: organizationId });
    await this.#connect();
  }

  /** The organization that a person typed for a server that does not name it; null if none was typed. */
  organizationOf(serverId: string): string | null {
    return this.#organizations()[serverId] ?? null;
  }

  /** Connects to the chosen server again. */
  async retry(): Promise<void> {
    await this.#connect();
  }

  async #connect(): Promise<void> {
    this.#connecting?.abort();
    const { signal } = (this.#connecting = new AbortController());
    this.trouble = null;
    if (this.id === browserHostId) {
      this.host = this.#browser;
      return;
    }
    this.host = null;
    try {
      const access = await this.#open();
      await this.#readServers(access);
      const { server } = this;
      if (!server) return await this.choose(browserHostId); // the server was removed
      const host = await this.#connectServer(access, server, signal);
      if (!signal.aborted) this.host = host;
    } catch (error) {
      if (!signal.aborted) this.trouble ??= troubleOf(error);
    }
  }

  async #connectServer(access: ServerAccess, server: ServerTarget, signal: AbortSignal): Promise<DataHost | null> {
    const onRefused = (): void => {
      if (this.id !== server.id || signal.aborted) return;
      this.host = null;
      this.trouble = { wants: 'key', message: `${server.name} does not accept the key.` };
    };
    const knownOrganizationId = this.organizationOf(server.id);
    const reached = await reachServer(access, server, { knownOrganizationId, onRefused, signal });
    if ('trouble' in reached) {
      if (!signal.aborted) this.trouble = reached.trouble;
      return null;
    }
    return { ...this.#browser, ...reached, server, linkTrouble: async () => null };
  }

  async #open(): Promise<ServerAccess> {
    return (this.#access ??= await this.#openAccess());
  }

  async #readServers({ outboxStore }: ServerAccess): Promise<void> {
    const targets = await outboxStore.targets();
    this.servers = targets.filter((target) => target.kind === 'server');
  }

  #organizations(): Readonly<Record<string, string>> {
    return (recall(this.#memory, organizationsKey) ?? {}) as Record<string, string>;
  }
}

/** One choice for each browser host. */
export const hostChoiceOf = memoizeByObject((browser: DataHost, memory: MemoryPort) => {
  const openAccess = async (): Promise<ServerAccess> => (await browser.captures.open()).captures.host;
  return new HostChoice(browser, openAccess, memory);
});
