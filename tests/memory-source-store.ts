import { BrowserStoreError } from '../src/platform/ports/browser-store-error.ts';
import type { SourceStore, VisitSource, Whereabouts } from '../src/platform/ports/source-store.ts';

/** A source store in memory. Tests can make it full or unavailable. */
export class MemorySourceStore implements SourceStore {
  readonly visits = new Map<string, readonly VisitSource[]>();
  readonly copies = new Map<string, Blob>();
  /** files for which the browser has a handle, and whether it is allowed to read them */
  readonly files = new Map<string, { readonly content: Blob; isAllowed: boolean }>();
  /** names of files for which the browser gets a handle when they are chosen */
  readonly known = new Set<string>();
  readonly log: string[] = [];
  roomBytes = Infinity;
  isGone = false;

  async find(visitId: string) {
    this.#mustBeThere();
    const sources = this.visits.get(visitId);
    return sources?.map((source) => ({ ...source, whereabouts: this.#whereaboutsOf(source.id) })) ?? null;
  }

  async write({ id, sources }: { readonly id: string; readonly sources: readonly VisitSource[] }) {
    this.#mustBeThere();
    this.log.push(`write ${sources.length}`);
    if (sources.length > 0) this.visits.set(id, sources);
    else this.visits.delete(id);
    const wanted = new Set([...this.visits.values()].flat().map((source) => source.id));
    for (const copyId of this.copies.keys()) if (!wanted.has(copyId)) this.copies.delete(copyId);
    return new Set(this.copies.keys());
  }

  async makeRoom(spared: readonly VisitSource[], budgetBytes: number) {
    this.log.push(`room ${budgetBytes}`);
    const ids = new Set(spared.map(({ id }) => id));
    for (const id of this.copies.keys()) if (!ids.has(id)) this.copies.delete(id);
  }

  async keep(copies: readonly { readonly source: VisitSource; readonly content: Blob }[]) {
    this.#mustBeThere();
    this.log.push(`keep ${copies.length}`);
    const bytes = [...this.copies.values(), ...copies.map(({ content }) => content)].reduce(
      (sum, b) => sum + b.size,
      0,
    );
    if (bytes > this.roomBytes) throw new BrowserStoreError('quota-exceeded', 'There is no room.');
    for (const { source, content } of copies) this.copies.set(source.id, content);
  }

  async point(id: string, content: Blob) {
    const isKnown = content instanceof File && this.known.has(content.name);
    if (isKnown) this.files.set(id, { content, isAllowed: false });
    return isKnown;
  }

  async read(id: string) {
    this.#mustBeThere();
    const file = this.files.get(id);
    return this.copies.get(id) ?? (file?.isAllowed ? file.content : null);
  }

  async request(ids: readonly string[]) {
    for (const id of ids) this.files.get(id)!.isAllowed = true;
    return new Set(ids);
  }

  #whereaboutsOf(id: string): Whereabouts {
    if (this.copies.has(id)) return 'copy';
    const file = this.files.get(id);
    if (!file) return 'nowhere';
    return file.isAllowed ? 'file' : 'file-on-request';
  }

  #mustBeThere(): void {
    if (this.isGone) throw new BrowserStoreError('unavailable', 'This browser gives the page no storage.');
  }
}
