import { untrack } from 'svelte';
import { SourceError, type StillFrame } from '../../../platform/ports/frame-source.ts';
import type { SourceStore, VisitSource, Whereabouts } from '../../../platform/ports/source-store.ts';
import { isLiveKind } from '../sources/source-kinds.ts';
import type { FirstSources, SourcesState } from '../sources/sources-state.svelte.ts';
import { BEGINNING } from '../sources/video-state.svelte.ts';
import type { StageViewport } from '../../kit/picture/stage-viewport.svelte.ts';
import { once } from '../../../base/schedule/once.ts';
import { ThrottledWrite } from '../../../base/schedule/throttled-write.ts';
import { recall, remember, type MemoryPort } from '../../kit/memory/remembered.ts';
import { NO_COPIES, type CopyReport } from './copy-report.ts';
import type { BenchSource, SourceCopies } from './source-copies.ts';
import { readVisitRecord, type VisitRecord } from './visit-record.ts';
import { stillMissing } from './still-missing.ts';

export interface VisitPorts {
  readonly store: SourceStore;
  /** Reserves a visit for this page; false: another tab has it. */
  readonly hold: (visitId: string) => Promise<boolean>;
  readonly newId: () => string;
  /** The storage that the browser gives the page; null: unknown. */
  readonly quotaBytes: () => Promise<number | null>;
}

/** A picture or a video of the visit that is missing after a reload. */
export interface MissingSource extends VisitSource {
  /** the browser can open its file if the user allows it */
  readonly onRequest: boolean;
}

type Found = VisitSource & { readonly whereabouts: Whereabouts };

const MEMORY_KEY = 'visit';
const MOST_NAMES = 100;

/**
 * The pictures, the video and the view of a tab's bench, kept over reloads. A new tab continues what any tab showed
 * last, in a visit of its own if that tab is still open: no tab overwrites another's.
 */
export class VisitState {
  readonly #ports: VisitPorts;
  readonly #memory: MemoryPort;
  readonly #sources: SourcesState;
  readonly #viewport: StageViewport;
  /** Loaded with the first source of one's own. */
  readonly #copies: () => Promise<SourceCopies>;
  readonly #recordWrites: ThrottledWrite<VisitRecord>;
  /** the stored source of a still or of a video's file */
  readonly #known = new WeakMap<StillFrame | Blob, VisitSource>();
  /** null: not reserved for this page yet */
  #visitId = $state.raw<string | null>(null);
  /** The sources from before the reload that are missing. */
  missing = $state.raw<readonly MissingSource[]>([]);
  /** Number of further missing sources whose names are unknown. */
  unnamed: number = $state(0);
  /** What a reload will find, and what it will not. */
  report: CopyReport = $state.raw(NO_COPIES);
  /** nothing was written, or all was removed: storage need not be opened */
  #isEmpty = true;
  readonly #beganMs = Date.now();

  /** The sources on the bench beside the samples. */
  readonly #here: readonly BenchSource[] = $derived.by(() => {
    const { stills, video } = this.#sources;
    const atMs = Date.now(); // one time for all new sources, so that files of one drop have the same time
    return [
      ...stills.own.map((still) => ({
        source: this.#sourceOf(still, 'still', still.name, atMs),
        content: () => still.blob(),
      })),
      ...video.kept.map(({ file, name }) => ({
        source: this.#sourceOf(file, 'video', name, atMs),
        content: async () => file,
      })),
    ];
  });

  readonly #named: Pick<VisitRecord, 'names' | 'count'> = $derived.by(() => {
    const all = [...this.missing, ...this.#here.map(({ source }) => source)];
    return { names: all.slice(0, MOST_NAMES).map(({ name }) => name), count: all.length + this.unnamed };
  });

  readonly #record: VisitRecord | null = $derived.by(() => {
    const { kind, showsSamples, stills, video } = this.#sources;
    const { shown, ownShown } = stills;
    if (this.#visitId === null || !shown) return null;
    const live = isLiveKind(kind) ? kind : '';
    return {
      visitId: this.#visitId,
      shown: ownShown ? (this.#known.get(ownShown)?.id ?? '') : '',
      sample: showsSamples ? shown.name : '',
      zoom: live ? null : this.#viewport.zoom,
      video: kind === 'video' ? video.place : null,
      film: kind === 'video' && video.file ? (this.#known.get(video.file)?.id ?? '') : '',
      live,
      ...this.#named,
    };
  });

  constructor(ports: VisitPorts, memory: MemoryPort, sources: SourcesState, viewport: StageViewport) {
    this.#ports = ports;
    this.#memory = memory;
    this.#sources = sources;
    this.#viewport = viewport;
    this.#copies = once(async () => {
      const { SourceCopies } = await import('./source-copies.ts');
      return new SourceCopies(ports.store, ports.quotaBytes, (report) => (this.report = report));
    });
    this.#recordWrites = new ThrottledWrite((record) => remember(memory, MEMORY_KEY, record));
  }

  /** Writes the view when the page is closed. Returns the function that ends this. */
  listen(page: Window): () => void {
    const leave = (): void => this.#recordWrites.flush();
    page.addEventListener('pagehide', leave);
    return () => page.removeEventListener('pagehide', leave);
  }

  /**
   * Restores the former sources, or the samples, and stores what is added. Call it where effects may be created.
   */
  begin(): void {
    $effect(() => this.#keep());
    $effect(() => {
      if (this.#record) this.#recordWrites.save(this.#record);
    });
    $effect(() => {
      const here = this.#here.map(({ source }) => source);
      const missing = stillMissing(this.missing, here, this.#beganMs);
      if (missing.length < this.missing.length) this.missing = missing;
    });
    void untrack(() => this.#bringBack());
  }

  /** Removes the note and the list of missing sources. */
  forgetMissing(): void {
    this.missing = [];
    this.unnamed = 0;
  }

  /** Asks the user to allow the files that the browser can open again, and opens them. Call it after a click. */
  async openAgain(): Promise<void> {
    const asked = this.missing.filter(({ onRequest }) => onRequest);
    const granted = await this.#ports.store.request(asked.map(({ id }) => id));
    const opened = asked.filter(({ id }) => granted.has(id));
    const stills = opened.filter(({ kind }) => kind === 'still').map((source) => this.#stillOf(source));
    const videos = await this.#readVideos(opened);
    await this.#sources.add(stills, videos);
  }

  async #bringBack(): Promise<void> {
    const record = readVisitRecord(recall(this.#memory, MEMORY_KEY));
    const claimed = this.#claim(record.visitId);
    await this.#sources.begin(() => this.#find(record));
    this.#visitId = await claimed;
  }

  async #claim(before: string | null): Promise<string> {
    const { hold, newId } = this.#ports;
    if (before !== null && (await hold(before))) return before;
    const id = newId();
    await hold(id);
    return id;
  }

  #keep(): void {
    const [visitId, missing, here] = [this.#visitId, this.missing, this.#here];
    const isEmpty = missing.length + here.length === 0;
    if (visitId === null || (isEmpty && this.#isEmpty)) return;
    this.#isEmpty = isEmpty;
    const gone = missing.map(({ onRequest: _, ...source }) => source);
    void this.#copies().then((copies) => copies.keep({ visitId, missing: gone, here }));
  }

  async #find(record: VisitRecord): Promise<FirstSources> {
    const found = await this.#findSources(record);
    this.#isEmpty = record.count === 0;
    const here = found.filter(({ whereabouts }) => whereabouts === 'copy' || whereabouts === 'file');
    const read = await this.#readVideos(here);
    const videos = read.map(({ file, name, id }) => ({
      file,
      name,
      place: id === record.film && record.video ? record.video : BEGINNING,
    }));
    const video = (record.video && (videos[read.findIndex(({ id }) => id === record.film)] ?? videos[0])) ?? null;
    const stills = here.filter(({ kind }) => kind === 'still').map((source) => this.#stillOf(source));
    this.missing = found
      .filter(
        (source) => !here.includes(source) || (source.kind === 'video' && !read.some(({ id }) => id === source.id)),
      )
      .map(({ whereabouts, ...source }) => ({ ...source, onRequest: whereabouts === 'file-on-request' }));
    const isShown = (still: StillFrame): boolean => this.#known.get(still)?.id === record.shown;
    const isHere = record.video ? video !== null : record.sample !== '' || stills.some(isShown);
    if (isHere) this.#viewport.zoom = record.zoom; // only if the picture is there for which it was set
    return { stills, videos, isShown, sample: record.sample, video, live: record.live || null };
  }

  async #findSources({ visitId, names, count }: VisitRecord): Promise<readonly Found[]> {
    if (visitId === null || count === 0) return [];
    const found = await this.#ports.store.find(visitId).catch(() => null); // if this fails, the note lists the stored names
    if (found) return found;
    this.unnamed = count - names.length;
    const nowhere = { kind: 'still', byteLength: 0, cameAtMs: 0, whereabouts: 'nowhere' } as const;
    return names.map((name, at) => ({ ...nowhere, id: `${visitId}/${at}`, name }));
  }

  /** The videos among sources; unreadable ones are left out. */
  async #readVideos(sources: readonly VisitSource[]) {
    const videos = sources.filter(({ kind }) => kind === 'video');
    const read = await Promise.all(
      videos.map(async (source) => {
        const file = await this.#read(source);
        if (file) this.#known.set(file, source);
        return file ? [{ file, name: source.name, id: source.id }] : [];
      }),
    );
    return read.flat();
  }

  #stillOf(source: VisitSource): StillFrame {
    const still = {
      name: source.name,
      blob: async () => {
        const file = await this.#read(source);
        if (file) return file;
        throw new SourceError('not-found', `${source.name} is no longer in this browser.`, 'Drop it again.');
      },
    };
    this.#known.set(still, source);
    return still;
  }

  #read({ id }: VisitSource): Promise<Blob | null> {
    return this.#ports.store.read(id).catch(() => null);
  }

  #sourceOf(content: StillFrame | Blob, kind: VisitSource['kind'], name: string, atMs: number): VisitSource {
    const known = this.#known.get(content);
    if (known) return known;
    const source = { id: this.#ports.newId(), kind, name, byteLength: 0, cameAtMs: atMs };
    this.#known.set(content, source);
    return source;
  }
}
