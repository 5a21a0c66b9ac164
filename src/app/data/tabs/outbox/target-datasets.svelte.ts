import type { ServerTarget } from '../../../../outbox/outbox-target.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';
import type { NamedDataset } from '../../shared/filters/filter-options.svelte.ts';
import type { HostChoice } from '../../context/host-choice.svelte.ts';
import { reachServer, troubleOf, type HostTrouble, type ReachedServer } from '../../context/reach-server.ts';

/** The datasets on a server that is sent to, whether or not its data is looked at. */
export class TargetDatasets {
  readonly #host: Pick<CaptureHost, 'connectServer'>;
  readonly #hosts: Pick<HostChoice, 'organizationOf'>;
  readonly #server: ServerTarget;
  #reached: ReachedServer | null = null;
  /** By name; null until they are read. */
  list = $state.raw<readonly NamedDataset[] | null>(null);
  /** Why they could not be read; null while that is not so. */
  trouble = $state.raw<HostTrouble | null>(null);

  constructor(
    host: Pick<CaptureHost, 'connectServer'>,
    hosts: Pick<HostChoice, 'organizationOf'>,
    server: ServerTarget,
  ) {
    this.#host = host;
    this.#hosts = hosts;
    this.#server = server;
  }

  /** Those with the words in their name, in any case, or of this id; the one of this very name first. */
  matching(words: string): readonly NamedDataset[] {
    const wanted = words.trim().toLowerCase();
    return (this.list ?? [])
      .filter(({ id, name }) => id === words.trim() || name.toLowerCase().includes(wanted))
      .toSorted((a, b) => Number(b.name.toLowerCase() === wanted) - Number(a.name.toLowerCase() === wanted));
  }

  /** Whether a dataset has this very name, which a new one cannot have then. */
  hasName(name: string): boolean {
    return (this.list ?? []).some((dataset) => dataset.name === name.trim());
  }

  /** Reads them, anew where they were. What fails is the trouble then. */
  async read(signal: AbortSignal): Promise<void> {
    this.trouble = null;
    this.list = null;
    try {
      const knownOrganizationId = this.#hosts.organizationOf(this.#server.id);
      const onRefused = (): void => undefined; // the call that it refuses rejects
      const reached = await reachServer(this.#host, this.#server, { knownOrganizationId, onRefused, signal });
      if (signal.aborted) return;
      if ('trouble' in reached) {
        this.trouble = reached.trouble;
        return;
      }
      const { organizationId } = reached.home;
      const { datasets } = await reached.client.datasets.listDatasetsByOrganizationID({ organizationId }, { signal });
      this.#reached = reached;
      this.list = datasets.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
    } catch (error) {
      if (!signal.aborted) this.trouble = troubleOf(error);
    }
  }

  /** Makes a dataset on the server, whose list was read. Rejects with ConnectError. */
  async create(typedName: string): Promise<NamedDataset> {
    const { client, home } = this.#reached!;
    const name = typedName.trim();
    const { id } = await client.datasets.createDataset({ name, organizationId: home.organizationId });
    return { id, name };
  }
}
