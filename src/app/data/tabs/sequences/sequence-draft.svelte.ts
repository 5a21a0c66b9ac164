import { errorWords, type ErrorWords } from '../../../kit/words/error-words.ts';
import type { DataContext } from '../../context/data-context.ts';
import { countsIn, newestRun } from './capture-window.ts';
import { findResources, type FoundResource, type ResourceSearch } from './find-resources.ts';
import { resourceText, type ListedSequence, type Resource } from './listed-sequence.ts';
import { emptyForm, formFault, formOf, shownTime, type SequenceForm } from './sequence-form.ts';
import type { CaptureCounts } from './stored-captures.ts';
import { waitMs } from './wait-ms.ts';

type Ports = Pick<DataContext, 'data' | 'home'>;

/** The captures of a form are counted when it was left alone for so long. */
const restMs = 250;

/** A sequence that is being made or changed: its form, and what is stored to choose from. */
export class SequenceDraft {
  readonly #context: Ports;
  readonly #wait: typeof waitMs;
  form = $state.raw<SequenceForm>(emptyForm);
  /** how far the search for parts and resources has come; null until the first page of captures is read */
  search = $state.raw<ResourceSearch | null>(null);
  /** whether captures are still being looked through */
  isLooking: boolean = $state(false);
  /** whether a person ended that */
  isCut: boolean = $state(false);
  /** why the captures could not be looked through */
  failure = $state.raw<ErrorWords | null>(null);
  /** what the sequence would hold now; null: not known */
  held = $state.raw<CaptureCounts | null>(null);
  #before: ListedSequence | null = null;
  #looking = new AbortController();
  #proposing = new AbortController();
  #counting = new AbortController();

  /** why it cannot be saved; '': it can */
  readonly fault: string = $derived(formFault(this.form));
  /** ids and names of the parts */
  readonly parts: readonly (readonly [string, string])[] = $derived(
    Object.entries(
      Object.fromEntries((this.search?.resources ?? []).map(({ partId, partName }) => [partId, partName])),
    ),
  );
  /** the resources of the part that have captures, and those that the sequence has already */
  readonly choices: readonly (Resource & { readonly counts: CaptureCounts })[] = $derived.by(() => {
    const found = this.#ofPart(this.form.partId);
    const others = (this.#before?.resources ?? []).filter((one) => !hasResource(found, one));
    return [...found, ...others.map((one) => ({ ...one, counts: { images: 0, readings: 0 } }))];
  });

  constructor(context: Ports, wait = waitMs) {
    this.#context = context;
    this.#wait = wait;
  }

  /** Begins with an empty form, or with that of a sequence, and looks through the captures, the newest first. */
  async begin(before: ListedSequence | null): Promise<void> {
    this.stop();
    this.#before = before;
    this.search = this.failure = null;
    this.change(before ? formOf(before) : emptyForm);
    const { signal } = (this.#looking = new AbortController());
    this.isLooking = true;
    this.isCut = false;
    try {
      for await (const search of findResources(this.#context, signal)) {
        if (signal.aborted) return;
        this.search = search;
        if (this.form.partId === '' && search.resources[0]) void this.choosePart(search.resources[0].partId);
      }
    } catch (error) {
      if (!signal.aborted) this.failure = errorWords(error);
    } finally {
      if (!signal.aborted) this.isLooking = false;
    }
  }

  /** Looks through no more captures; what was found stays. */
  stopLooking(): void {
    this.#looking.abort();
    this.isCut ||= this.isLooking;
    this.isLooking = false;
  }

  /** Ends everything that is under way. */
  stop(): void {
    this.stopLooking();
    this.#proposing.abort();
    this.#counting.abort();
  }

  /** Chooses a part with all of its resources that are found, and proposes the window of their newest captures. */
  async choosePart(partId: string): Promise<void> {
    const resources = this.#ofPart(partId);
    const { start, end } = emptyForm;
    this.change({ partId, resources: resources.map(resourceOf), start, end });
    const { signal } = (this.#proposing = new AbortController());
    try {
      const run = await newestRun(this.#context, resources, signal);
      if (run && !signal.aborted) this.change({ start: shownTime(run.startMs), end: shownTime(run.endMs) });
    } catch (error) {
      if (!signal.aborted) this.failure = errorWords(error);
    }
  }

  choose(resource: Resource, isOn: boolean): void {
    const others = this.form.resources.filter((one) => !hasResource([resource], one));
    this.change({ resources: isOn ? [...others, resourceOf(resource)] : others });
  }

  isChosen(resource: Resource): boolean {
    return hasResource(this.form.resources, resource);
  }

  /** Changes fields of the form. A window that a person types is not replaced by the one that is proposed. */
  change(changes: Partial<SequenceForm>): void {
    if (changes.start ?? changes.end) this.#proposing.abort();
    this.form = { ...this.form, ...changes };
    void this.#count();
  }

  async #count(): Promise<void> {
    this.#counting.abort();
    const { signal } = (this.#counting = new AbortController());
    this.held = null;
    if (this.fault !== '') return;
    try {
      await this.#wait(restMs, signal);
      const held = await countsIn(this.#context, this.form, signal);
      if (!signal.aborted) this.held = held;
    } catch {
      // The numbers only help: what is wrong is said when the sequence is saved.
    }
  }

  #ofPart(id: string): readonly FoundResource[] {
    return (this.search?.resources ?? []).filter(({ partId }) => partId === id);
  }
}

const resourceOf = ({ resourceName, methodName }: Resource): Resource => ({ resourceName, methodName });

const hasResource = (resources: readonly Resource[], resource: Resource): boolean =>
  resources.some((one) => resourceText(one) === resourceText(resource));
