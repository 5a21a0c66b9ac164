import { DatasetService, DatasetType } from '../../../../gen/app/dataset/v1/dataset_pb.ts';
import type { ServerTarget } from '../../../../remote/outbox/outbox-target.ts';
import type { CaptureHost } from '../../../captures/capture-host.ts';
import type { NamedDataset } from '../../shared/filters/filter-options.svelte.ts';
import type { HostChoice } from '../../context/host-choice.svelte.ts';
import { reachServer, troubleOf, type HostTrouble, type ReachedServer } from '../../context/reach-server.ts';

/** The datasets on a target server. It need not be the server whose data the data area shows. */
export class TargetDatasets {
  readonly #host: Pick<CaptureHost, 'connectServer'>;
  readonly #hosts: Pick<HostChoice, 'organizationOf'>;
  readonly #server: ServerTarget;
  #reached: ReachedServer | null = null;
  /** Sorted by name; null until they are read. */
  list = $state.raw<readonly NamedDataset[] | null>(null);
  /** Why the datasets could not be read; null if nothing failed. */
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

  /** The datasets whose name contains the text (ignoring case) or whose id it is. An exact name comes first. */
  matching(words: string): readonly NamedDataset[] {
    const wanted = words.trim().toLowerCase();
    return (this.list ?? [])
      .filter(({ id, name }) => id === words.trim() || name.toLowerCase().includes(wanted))
      .toSorted((a, b) => Number(b.name.toLowerCase() === wanted) - Number(a.name.toLowerCase() === wanted));
  }

  /** Whether a dataset has exactly this name. Names are unique, so a new one cannot take it. */
  hasName(name: string): boolean {
    return (this.list ?? []).some((dataset) => dataset.name === name.trim());
  }

  /** Reads the datasets, or reads them again. A failure is put into `trouble`. */
  async read(signal: AbortSignal): Promise<void> {
    this.trouble = null;
    this.list = null;
    try {
      const knownOrganizationId = this.#hosts.organizationOf(this.#server.id);
      const onRefused = (): void => undefined; // nothing to do: the refused call itself rejects
      const reached = await reachServer(this.#host, this.#server, { knownOrganizationId, onRefused, signal });
      if (signal.aborted) return;
      if ('trouble' in reached) {
        this.trouble = reached.trouble;
        return;
      }
      const { organizationId } = reached.home;
      const { datasets } = await reached.client.datasets.listDatasetsByOrganizationID(
        { organizationId, type: DatasetType.BINARY_DATA },
        { signal },
      );
      this.#reached = reached;
      this.list = datasets.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
    } catch (error) {
      if (!signal.aborted) this.trouble = troubleOf(error);
    }
  }

  /** Why a dataset cannot be created there; '' if it can. Call `read` first. */
  get refusal(): string {
    return this.#reached?.refusal?.(DatasetService.method.createDataset) ?? '';
  }

  /** Creates a dataset on the server. Call `read` first. Rejects with ConnectError. */
  async create(typedName: string): Promise<NamedDataset> {
    const { client, home } = this.#reached!;
    const name = typedName.trim();
    const { id } = await client.datasets.createDataset({ name, organizationId: home.organizationId });
    return { id, name };
  }
}
