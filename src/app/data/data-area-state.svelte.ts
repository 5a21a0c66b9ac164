import { untrack } from 'svelte';
import type { NamedFile } from '../../platform/ports/named-file.ts';
import type { ShortcutRegistry } from '../kit/keys/shortcut-registry.svelte.ts';
import { nameSome } from '../kit/words/name-some.ts';
import type { AreaRoute } from '../areas/area-route.svelte.ts';
import type { DataContext } from './context/data-context.ts';
import type { DataHost } from './context/data-host.ts';
import type { DataRoute } from './context/data-route.ts';
import { openTab } from './data-tabs.ts';
import { isNearlyFull } from './shared/host/is-nearly-full.ts';
import type { HostChoice } from './context/host-choice.svelte.ts';
import { errorWords, type ErrorWords } from '../kit/words/error-words.ts';

/** What the tabs share: the current place, failures and announcements. */
export class DataAreaState {
  readonly #areas: AreaRoute;
  readonly #shortcuts: ShortcutRegistry;
  readonly #contexts = new WeakMap<DataHost, DataContext>();
  failures = $state.raw<readonly ErrorWords[]>([]);
  /** The last announcement. */
  said: string = $state('');
  /** Free storage in bytes if it is low; null if there is enough, or the browser does not say. */
  littleLeftBytes = $state<number | null>(null);

  constructor(areas: AreaRoute, shortcuts: ShortcutRegistry) {
    this.#areas = areas;
    this.#shortcuts = shortcuts;
  }

  async watchRoom({ storage }: DataHost): Promise<void> {
    const room = await storage.measure().catch(() => null);
    this.littleLeftBytes = room && isNearlyFull(room) ? Math.max(0, room.quotaBytes - room.usedBytes) : null;
  }

  announce(sentence: string): void {
    // A live region reads a repeated sentence only if the text changes in between.
    this.said = this.said === sentence ? `${sentence}\u00a0` : sentence;
  }

  /** Dismisses one failure, or all. */
  dismiss(failure?: ErrorWords): void {
    this.failures = failure ? this.failures.filter((other) => other !== failure) : [];
  }

  /** The context of a chosen host; one object for each. */
  contextOf(host: DataHost, hosts: HostChoice): DataContext {
    const known = this.#contexts.get(host);
    if (known) return known;
    const { data, sync, datasets, pipelines, transport } = host.client;
    const context: DataContext = {
      data,
      sync,
      datasets,
      pipelines,
      transport,
      ...(host.server && { server: host.server }),
      ...(host.who && { who: host.who }),
      ...(!host.server && host.samples && { samples: host.samples }),
      refusal: host.refusal ?? (() => ''),
      hosts,
      home: host.home,
      storage: host.storage,
      thumbnails: host.thumbnails,
      readPointCloud: host.readPointCloud,
      droppedFiles: (transfer) => this.#droppedFiles(host, transfer),
      takeAnnotations: async (files) =>
        (await import('./tabs/datasets/imports/take-annotations.ts')).takeAnnotations(context, files),
      runModel: host.runModel,
      benchServices: host.benchServices,
      openReplay: host.openReplay,
      captures: host.captures,
      writeRows: host.writeRows,
      openDatasetFiles: host.openDatasetFiles,
      openChangeRule: () => host.openChangeRule(),
      linkTrouble: () => host.linkTrouble(),
      place: this.#place(),
      announce: (sentence) => this.announce(sentence),
      report: (error, what) => this.#report(error, what),
      addShortcuts: (...shortcuts) =>
        this.#shortcuts.register(
          ...shortcuts.map(
            (shortcut) => ({ ...shortcut, group: 'Data', area: untrack(() => this.#areas.area) }) as const,
          ),
        ),
    };
    this.#contexts.set(host, context);
    return context;
  }

  #place(): DataRoute {
    const areas = this.#areas;
    const href: DataRoute['href'] = (tab, rest = '') => areas.href(tab === 'replay' ? 'evaluate' : 'data', tab, rest);
    return {
      get tab() {
        return openTab(areas).tab;
      },
      get rest() {
        return areas.rest;
      },
      href,
      go: (tab, rest = '', options = {}) => areas.go(href(tab, rest), options),
    };
  }

  /** The readable files of a drop; a note names the others. */
  async #droppedFiles(host: DataHost, transfer: DataTransfer): Promise<readonly NamedFile[]> {
    const { files, unread } = await host.droppedFiles(transfer);
    const [first] = unread;
    if (first)
      this.#report(
        new Error(first.why),
        `Left out, as it cannot be read: ${nameSome(unread.map(({ path }) => path))}.`,
      );
    return files;
  }

  #report(error: unknown, what: string): void {
    const words = errorWords(error);
    if (!words) return;
    const message = `${what} ${words.message}`;
    // A repeated failure is shown once.
    const others = this.failures.filter((failure) => failure.message !== message);
    this.failures = [...others.slice(-2), { message, cure: words.cure }];
  }
}
