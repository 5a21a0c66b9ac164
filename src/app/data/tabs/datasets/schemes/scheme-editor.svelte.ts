import { Code, ConnectError } from '@connectrpc/connect';
import { type LabelPair, plainLabel, type SchemeLabel } from '../../../../../evidence/datasets/face/labels.ts';
import { Attempts } from '../../../../kit/edits/attempts.svelte.ts';
import { errorWords, type ErrorWords } from '../../../../kit/words/error-words.ts';
import type { DataContext } from '../../../context/data-context.ts';
import { labelClientOf, type LabelClient } from '../../../shared/work/label-client.ts';
import { schemeLabels, schemePairs } from '../../../shared/work/scheme-labels.ts';

/** The label scheme of a dataset while it is edited: nothing is stored before it is saved. */
export class SchemeEditor {
  readonly #client: LabelClient;
  readonly #datasetId: string;
  readonly #saving = new Attempts();
  #version = 0n;
  #saved = $state.raw<readonly SchemeLabel[]>([]);
  #savedPairs = $state.raw<readonly LabelPair[]>([]);
  /** what models call labels of the dataset: made in the evaluation, or taken of a file */
  pairs = $state.raw<readonly LabelPair[]>([]);
  /** null: not read yet */
  labels = $state.raw<readonly SchemeLabel[] | null>(null);
  /** whether the dataset has a scheme */
  exists = $state(false);
  /** false: the data service keeps no schemes */
  isOffered = $state(true);
  /** Why it could not be read, or a file was no scheme. */
  fault = $state.raw<ErrorWords | null>(null);

  constructor(context: Pick<DataContext, 'transport'>, datasetId: string) {
    this.#client = labelClientOf(context);
    this.#datasetId = datasetId;
  }

  get failure(): ErrorWords | null {
    return this.#saving.failure;
  }
  get busy(): boolean {
    return this.#saving.busy;
  }

  get differs(): boolean {
    return this.labels !== null && !isEqual([this.labels, this.pairs], [this.#saved, this.#savedPairs]);
  }

  /** Why it cannot be saved; '' if it can. */
  get hindrance(): string {
    const names = (this.labels ?? []).map(({ name }) => name.trim());
    if (names.includes('')) return 'A label has no name.';
    const long = names.find((name) => name.length > longestName);
    if (long !== undefined)
      return `The label “${long.slice(0, 20)}…” has ${long.length} characters; ${longestName} are possible.`;
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    return twice === undefined ? '' : `The label ${twice} appears twice.`;
  }

  /** Reads it, or reads it again: what is not saved stays, beside what others have changed meanwhile. */
  async read(): Promise<void> {
    this.fault = null;
    try {
      const { scheme, version } = await this.#client.getScheme({ datasetId: this.#datasetId });
      const [before, mine] = [this.#saved, this.labels ?? []];
      const [pairsBefore, pairs] = [this.#savedPairs, this.pairs];
      this.#take(scheme ? schemeLabels(scheme) : [], scheme ? schemePairs(scheme) : [], version);
      this.labels = mergedLabels(before, mine, this.#saved);
      if (!isEqual(pairs, pairsBefore)) this.pairs = pairs;
      this.#saving.dismiss();
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unimplemented) this.isOffered = false;
      else this.fault = errorWords(error);
    }
  }

  #take(labels: readonly SchemeLabel[], pairs: readonly LabelPair[], version: bigint): void {
    [this.#saved, this.labels, this.#version] = [labels, labels, version];
    [this.#savedPairs, this.pairs] = [pairs, pairs];
    this.exists = version > 0n;
  }

  /** Adds labels that are not in it, at its end. */
  add(names: readonly string[]): void {
    const known = (this.labels ?? []).map(({ name }) => name);
    const news = names.filter((name, at) => name !== '' && names.indexOf(name) === at && !known.includes(name));
    this.labels = [...(this.labels ?? []), ...news.map(plainLabel)];
  }

  change(at: number, changes: Partial<SchemeLabel>): void {
    this.labels = (this.labels ?? []).map((label, place) => (place === at ? { ...label, ...changes } : label));
  }

  remove(at: number): void {
    this.labels = (this.labels ?? []).filter((_, place) => place !== at);
  }

  /** Moves a label to another place. */
  move(from: number, to: number): void {
    const labels = [...(this.labels ?? [])];
    const [moved] = labels.splice(from, 1);
    if (moved) this.labels = labels.toSpliced(to, 0, moved);
  }

  /** Takes the labels of a file in place of those that are there; they are not saved yet. */
  async take(file: Blob): Promise<void> {
    this.fault = null;
    const { readLabelScheme } = await import('../../../../../evidence/datasets/face/scheme-files.ts');
    try {
      const { labels, pairs } = readLabelScheme(await file.text());
      this.labels = labels;
      // Formats of others have none, and take none away.
      if (pairs.length > 0) this.pairs = pairs;
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      this.fault = {
        message: `The file is not a label scheme. ${message}`,
        cure: 'Use a scheme of Sightglass, labels of CVAT (JSON), a configuration of Label Studio (XML), or one name per line.',
      };
    }
  }

  /** Back to what is stored. */
  drop(): void {
    [this.labels, this.pairs] = [this.#saved, this.#savedPairs];
  }

  /** Saves it; if another was faster, what is here stays, and can be saved after it is read again. */
  async save(): Promise<boolean> {
    const { labels, pairs } = this;
    if (!labels || this.hindrance !== '') return false;
    return this.#saving.attempt(async () => {
      const named = labels.map((label) => ({ ...label, name: label.name.trim() }));
      const wire = named.map((label) => ({ ...label, attributes: label.attributes.map(wireAttribute) }));
      const scheme = { labels: wire, pairs: [...pairs] };
      const { version } = await this.#client.putScheme({ datasetId: this.#datasetId, scheme, version: this.#version });
      this.#take(named, pairs, version);
    });
  }

  /** @throws ConnectError */
  async delete(): Promise<void> {
    await this.#client.deleteScheme({ datasetId: this.#datasetId });
    this.#take([], [], 0n);
  }
}

const longestName = 200;

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The labels after two people have changed them: each label as whoever changed it has it; where both did, as it is in `mine`. */
function mergedLabels(
  before: readonly SchemeLabel[],
  mine: readonly SchemeLabel[],
  theirs: readonly SchemeLabel[],
): readonly SchemeLabel[] {
  if (isEqual(mine, before)) return theirs;
  const named = (labels: readonly SchemeLabel[], name: string) => labels.find((label) => label.name === name);
  const kept = mine.map((label) => (isEqual(label, named(before, label.name)) ? named(theirs, label.name) : label));
  const added = theirs.filter(({ name }) => !named(before, name) && !named(mine, name));
  return [...kept.filter((label) => label !== undefined), ...added];
}

const wireAttribute = ({ name, values }: SchemeLabel['attributes'][number]) => ({ name, values: [...values] });
