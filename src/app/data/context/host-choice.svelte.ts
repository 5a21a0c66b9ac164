import { membershipOf, sessionTarget, type ServerTarget } from '../../../remote/outbox/outbox-target.ts';
import { DataSyncService } from '../../../gen/app/datasync/v1/data_sync_pb.ts';
import type { DescMethod } from '@bufbuild/protobuf';
import type { CaptureHost } from '../../captures/capture-host.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import type { DataHost } from './data-host.ts';
import { servedHere } from './is-served.ts';
import type { LoggedIn, OwnSession } from './own-session.svelte.ts';
import { memoizeByObject } from '../../../base/schedule/memoize-by-object.ts';
import { once } from '../../../base/schedule/once.ts';
import { reachServer, troubleOf, type HostTrouble } from './reach-server.ts';
import { serverDataClient } from './server-data-client.ts';

/** Whose data the data area shows: '' is this browser; the server that the page comes from; otherwise the id of a server. */
export type HostId = string;
export const browserHostId: HostId = '';
export const ownServerId: HostId = 'own-server';

/** Access to the servers that the outbox knows, with their keys. */
export type ServerAccess = Pick<CaptureHost, 'connectServer' | 'connectOwnServer' | 'outbox'> & {
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
  /** whether the page comes from a server; null: not known yet */
  isServed = $state<boolean | null>(null);
  /** who is logged in to the server that the page comes from; null: it comes from a plain host, or that is not known yet */
  session = $state.raw<OwnSession | null>(null);
  /** whether the log-in is being changed from here */
  #isChanging = $state(false);
  #connecting: AbortController | null = null;

  constructor(
    browser: DataHost,
    openAccess: () => Promise<ServerAccess>,
    memory: MemoryPort,
    served: Promise<boolean>,
  ) {
    this.#browser = browser;
    this.#openAccess = openAccess;
    this.#memory = memory;
    const chosen = recall(memory, choiceKey);
    if (typeof chosen === 'string') this.id = chosen;
    if (chosen === browserHostId) this.host = browser;
    else if (typeof chosen === 'string' && chosen !== ownServerId) void this.#connect();
    // Where it fails while other data is shown: whoever chooses this server has it tried again, and sees why it fails.
    void served.then((isServedHere) => this.#start(isServedHere, typeof chosen === 'string')).catch(() => undefined);
  }

  /** A page of a server opens on the data of that server, until somebody chooses other data. */
  async #start(isServedHere: boolean, isChosen: boolean): Promise<void> {
    this.isServed = isServedHere;
    if (isServedHere && !isChosen && !this.#connecting) this.id = ownServerId;
    if (!isServedHere && this.id === ownServerId) this.id = browserHostId;
    if (this.host === null && (this.id === ownServerId || !this.#connecting)) await this.#connect();
    if (!isServedHere || this.id === ownServerId) return;
    const session = await this.#openSession(); // other data is shown, but the settings say who is logged in
    await session.ask();
  }

  readonly #openSession = once(async (): Promise<OwnSession> => {
    const [access, { OwnSession }] = await Promise.all([this.#open(), import('./own-session.svelte.ts')]);
    // A refused call is one of a session that has ended: the server says who is logged in now.
    const { transport } = access.connectOwnServer(() => void this.session?.ask().catch(() => undefined));
    return (this.session = new OwnSession(transport));
  });

  /** The shown data is that of a log-in that has ended, or another one has taken its place. */
  get isLeftBehind(): boolean {
    if (this.#isChanging) return false;
    return this.host?.who !== undefined && this.host.who.id !== this.session?.who?.membership.id;
  }

  /** The chosen server; null for this browser, and until the servers are read. */
  get server(): ServerTarget | null {
    if (this.id === ownServerId) return this.host?.server ?? null;
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

  /** Logs out, or in as another member, and shows what is to be seen then. Rejects where that fails. */
  async changeLogIn(action: () => Promise<void>): Promise<void> {
    this.#isChanging = true;
    try {
      await action();
      if (this.id === ownServerId) await this.#connect();
    } finally {
      this.#isChanging = false;
    }
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
      const isOwn = this.id === ownServerId;
      const host = await (isOwn ? this.#connectOwn(access, signal) : this.#connectServer(access, signal));
      if (!signal.aborted) this.host = host;
    } catch (error) {
      if (!signal.aborted) this.trouble ??= troubleOf(error);
    }
  }

  async #connectServer(access: ServerAccess, signal: AbortSignal): Promise<DataHost | null> {
    await this.#readServers(access);
    const { server } = this;
    if (!server) {
      await this.choose(browserHostId); // the server was removed
      return null;
    }
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

  async #connectOwn(access: ServerAccess, signal: AbortSignal): Promise<DataHost | null> {
    const session = await this.#openSession();
    await session.ask(signal);
    if (session.who) return this.#hostOf(session.who, access, session);
    if (!signal.aborted) this.trouble = { wants: 'log-in', message: 'Nobody is logged in.' };
    return null;
  }

  async #hostOf(who: LoggedIn, { outbox }: ServerAccess, { transport }: OwnSession): Promise<DataHost> {
    const { membership, person, partId } = who;
    const { id: membershipId, organizationName, organizationId, locationId } = membership;
    const server = sessionTarget(location.origin, { membershipId, organizationName, personName: person.name, partId });
    // only who may upload gets a target, and it needs a part
    const { refusalOf } = await import('./rights.ts');
    const refusal = (method: DescMethod): string => refusalOf(membership, method);
    if (partId !== '' && refusal(DataSyncService.method.dataCaptureUpload) === '') await outbox.logIn(server);
    return {
      ...this.#browser,
      client: serverDataClient(transport),
      home: { organizationId, locationId, partId },
      server,
      who: membership,
      refusal,
      linkTrouble: async () => null,
    };
  }

  async #open(): Promise<ServerAccess> {
    return (this.#access ??= await this.#openAccess());
  }

  async #readServers({ outboxStore }: ServerAccess): Promise<void> {
    const targets = await outboxStore.targets();
    this.servers = targets
      .filter((target) => target.kind === 'server')
      .filter((server) => membershipOf(server) === null);
  }

  #organizations(): Readonly<Record<string, string>> {
    return (recall(this.#memory, organizationsKey) ?? {}) as Record<string, string>;
  }
}

/** One choice for each browser host. */
export const hostChoiceOf = memoizeByObject((browser: DataHost, memory: MemoryPort) => {
  const openAccess = async (): Promise<ServerAccess> => (await browser.captures.open()).captures.host;
  return new HostChoice(browser, openAccess, memory, servedHere());
});
