import type { DroppedFiles } from '../../../ports/named-file.ts';
import type { ListAnswer } from '../models/take-label-list.ts';
import type { RefusedVideo } from '../sources/sources-state.svelte.ts';
import type { LeftOut, SortedFiles } from './sort-files.ts';

/**
 * An owner's answer to a file: null if it took the file, otherwise the reason: the end of "Left out: machine.json,
 * …".
 */
export type Refusal = string | null;

/** Which part takes which files. */
export interface FileOwners {
  /**
   * All files of a drop or a paste, those in folders included. It must be called within the event, since a drop's
   * items are gone afterwards.
   */
  readonly droppedFiles: (transfer: DataTransfer) => Promise<DroppedFiles>;
  /** Takes pictures and videos. Resolves to the videos that could not be shown. */
  readonly addPictures: (
    stills: SortedFiles['stills'],
    videos: SortedFiles['videos'],
  ) => Promise<readonly RefusedVideo[]>;
  /** Says why a file that is called a picture is none; null: it is one. */
  readonly whyNoPicture: (file: Blob) => Promise<Refusal>;
  /** It shows the reason itself if the model does not run; '': it was given up. */
  readonly loadModel: (file: File, beside: readonly File[]) => Promise<Refusal>;
  readonly openConfiguration: (file: File) => Promise<Refusal>;
  /** @param cameWithModel a model came with it, and runs by now */
  readonly takeLabels: (file: File, cameWithModel: boolean) => Promise<ListAnswer>;
  readonly openBench: (file: File) => Promise<Refusal>;
}

/** What became of the files of one drop, paste or choice. */
export interface Receipt {
  readonly taken: readonly Taken[];
  readonly leftOut: readonly LeftOut[];
}

export interface Taken {
  readonly kind: 'image' | 'video' | 'model' | 'data file' | 'configuration' | 'label list' | 'saved bench';
  readonly names: readonly string[];
}

const NOTHING: Receipt = { taken: [], leftOut: [] };
const ASKED: Receipt = { ...NOTHING };

/**
 * The only entrance for files: sorts dropped, pasted or chosen files, passes each to its owner, and reports the
 * result.
 */
export class FileIntake {
  readonly #owners: FileOwners;
  /** The result for the last files; null: not yet known, or read already. A model is listed once it runs. */
  receipt = $state.raw<Receipt | null>(null);
  #count = 0;

  constructor(owners: FileOwners) {
    this.#owners = owners;
  }

  dismiss(): void {
    this.receipt = null;
  }

  async takeTransfer(transfer: DataTransfer): Promise<void> {
    await this.#take(this.#owners.droppedFiles(transfer));
  }

  async takeFiles(files: readonly File[]): Promise<void> {
    const named = files.map((file) => ({ file, path: file.webkitRelativePath || file.name }));
    await this.#take(Promise.resolve({ files: named, unread: [] }));
  }

  async #take(given: Promise<DroppedFiles>): Promise<void> {
    const count = ++this.#count;
    this.receipt = null;
    /** Later files have a receipt of their own. */
    const tell = (parts: readonly Receipt[]): void => {
      const receipt = join(parts);
      const isOnlyAsked = parts.includes(ASKED) && receipt.taken.length + receipt.leftOut.length === 0;
      if (count === this.#count) this.receipt = isOnlyAsked ? null : receipt;
    };
    let sorted: SortedFiles;
    let unread: readonly LeftOut[];
    try {
      const { files, unread: unreadFiles } = await given;
      const { leaveUnread, sortFiles } = await import('./sort-files.ts');
      sorted = sortFiles(files);
      unread = leaveUnread(unreadFiles);
    } catch (error) {
      return tell([leaveOut(['what was given'], `it cannot be read: ${(error as Error).message}`)]);
    }
    // The configuration is opened first: pictures, a model and labels that came with it belong to it.
    const configuration = await this.#openConfiguration(sorted);
    const others = await Promise.all([this.#openBench(sorted), this.#addPictures(sorted)]);
    const parts = [{ taken: [], leftOut: [...unread, ...sorted.leftOut] }, configuration, ...others];
    if (!sorted.model) return tell([...parts, await this.#takeLabels(sorted)]);
    // The model may take its time, and shows it. What was left out alone would read as if nothing had been taken.
    if (parts.some(({ taken }) => taken.length > 0)) tell(parts);
    tell([...parts, ...(await this.#loadModel(sorted, sorted.model))]);
  }

  async #openConfiguration({ configuration }: SortedFiles): Promise<Receipt> {
    if (!configuration) return NOTHING;
    return receiptOf('configuration', configuration, await this.#owners.openConfiguration(configuration));
  }

  async #openBench({ benchFile }: SortedFiles): Promise<Receipt> {
    return benchFile ? receiptOf('saved bench', benchFile, await this.#owners.openBench(benchFile)) : NOTHING;
  }

  async #takeLabels({ labels, model }: SortedFiles): Promise<Receipt> {
    if (!labels) return NOTHING;
    const answer = await this.#owners.takeLabels(labels, model !== null);
    if (answer === 'asked') return ASKED; // the question says what becomes of it
    return receiptOf('label list', labels, answer === 'taken' ? null : answer.leftOut);
  }

  async #addPictures({ stills, videos }: SortedFiles): Promise<Receipt> {
    if (stills.length + videos.length === 0) return NOTHING;
    const whys = await Promise.all(
      stills.map(async (still) => this.#owners.whyNoPicture(await still.blob()).catch((error: Error) => error.message)),
    );
    const pictures = stills.filter((_, at) => whys[at] === null);
    const refused = pictures.length + videos.length > 0 ? await this.#owners.addPictures(pictures, videos) : [];
    const isShown = ({ name }: File): boolean => !refused.some((one) => one.name === name);
    const reasons = whys.filter((why, at) => why !== null && whys.indexOf(why) === at) as string[];
    return {
      taken: [
        { kind: 'image' as const, names: pictures.map(({ name }) => name) },
        { kind: 'video' as const, names: videos.filter(isShown).map(({ name }) => name) },
      ].filter((taken) => taken.names.length > 0),
      leftOut: [
        ...reasons.map((why) => ({ names: stills.filter((_, at) => whys[at] === why).map(({ name }) => name), why })),
        ...refused.map(({ name, message, cure }) => ({ names: [name], why: `${message} ${cure}` })),
      ],
    };
  }

  /**
   * Loads the first model that runs: a damaged one does not keep a sound one out. Labels that came with a model belong to
   * it: before it runs, they would name the classes of the former model.
   */
  async #loadModel(
    sorted: SortedFiles,
    { file, beside, others }: NonNullable<SortedFiles['model']>,
  ): Promise<readonly Receipt[]> {
    const besideNames = beside.map(({ name }) => name);
    const [next, ...rest] = others;
    const why = await this.#owners.loadModel(file, beside);
    if (why !== null && why !== '' && next) {
      const later = await this.#loadModel(sorted, { file: next, beside, others: rest });
      return [leaveOut([file.name], `it does not open: ${why}`), ...later];
    }
    const left = others.map(({ name }) => name);
    const untried = left.length > 0 ? leaveOut(left, 'only one model can be opened at a time') : NOTHING;
    if (why !== null) {
      const labels = sorted.labels ? [sorted.labels.name] : [];
      const reason = 'the model does not run; the Model panel says why';
      return [leaveOut([file.name, ...besideNames, ...labels], reason), untried];
    }
    const taken: Taken[] = [{ kind: 'model', names: [file.name] }];
    if (beside.length > 0) taken.push({ kind: 'data file', names: besideNames });
    return [{ taken, leftOut: [] }, untried, await this.#takeLabels(sorted)];
  }
}

const receiptOf = (kind: Taken['kind'], { name }: File, refusal: Refusal): Receipt =>
  refusal === null ? { taken: [{ kind, names: [name] }], leftOut: [] } : leaveOut([name], refusal);

const leaveOut = (names: readonly string[], why: string): Receipt => ({ taken: [], leftOut: [{ names, why }] });

const join = (parts: readonly Receipt[]): Receipt => ({
  taken: parts.flatMap(({ taken }) => taken),
  leftOut: parts.flatMap(({ leftOut }) => leftOut),
});
