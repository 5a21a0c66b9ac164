import type { DroppedFiles } from '../../../platform/ports/named-file.ts';
import type { FileOwners, Receipt, Refusal, Taken } from './file-owners.ts';
import { leaveUnread, sortFiles, type LeftOut, type SortedFiles } from './sort-files.ts';

const NOTHING: Receipt = { taken: [], leftOut: [] };
const ASKED: Receipt = { ...NOTHING };

/**
 * Sorts files and passes each to its owner.
 * @param tell called with what became of them so far; null: the person is asked about the only one
 */
export async function takeFiles(
  given: Promise<DroppedFiles>,
  owners: FileOwners,
  tell: (receipt: Receipt | null) => void,
): Promise<void> {
  const tellAll = (parts: readonly Receipt[]): void => {
    const receipt = join(parts);
    const isOnlyAsked = parts.includes(ASKED) && receipt.taken.length + receipt.leftOut.length === 0;
    tell(isOnlyAsked ? null : receipt);
  };
  let sorted: SortedFiles;
  let unread: readonly LeftOut[];
  try {
    const { files, unread: unreadFiles } = await given;
    sorted = sortFiles(files);
    unread = leaveUnread(unreadFiles);
  } catch (error) {
    return tellAll([leaveOut(['what was given'], `it cannot be read: ${(error as Error).message}`)]);
  }
  // The configuration is opened first: pictures, a model and labels that came with it belong to it.
  const configuration = await openConfiguration(owners, sorted);
  const others = await Promise.all([openBench(owners, sorted), addPictures(owners, sorted)]);
  const parts = [{ taken: [], leftOut: [...unread, ...sorted.leftOut] }, configuration, ...others];
  if (!sorted.model) return tellAll([...parts, await takeLabels(owners, sorted)]);
  // The model may take its time, and shows it. What was left out alone would read as if nothing had been taken.
  if (parts.some(({ taken }) => taken.length > 0)) tellAll(parts);
  tellAll([...parts, ...(await loadModel(owners, sorted, sorted.model))]);
}

async function openConfiguration(owners: FileOwners, { configuration }: SortedFiles): Promise<Receipt> {
  if (!configuration) return NOTHING;
  return receiptOf('configuration', configuration, await owners.openConfiguration(configuration));
}

async function openBench(owners: FileOwners, { benchFile }: SortedFiles): Promise<Receipt> {
  return benchFile ? receiptOf('saved bench', benchFile, await owners.openBench(benchFile)) : NOTHING;
}

async function takeLabels(owners: FileOwners, { labels, model }: SortedFiles): Promise<Receipt> {
  if (!labels) return NOTHING;
  const answer = await owners.takeLabels(labels, model !== null);
  if (answer === 'asked') return ASKED; // the question says what becomes of it
  return receiptOf('label list', labels, answer === 'taken' ? null : answer.leftOut);
}

async function addPictures(owners: FileOwners, { stills, videos }: SortedFiles): Promise<Receipt> {
  if (stills.length + videos.length === 0) return NOTHING;
  const whys = await Promise.all(
    stills.map(async (still) => owners.whyNoPicture(await still.blob()).catch((error: Error) => error.message)),
  );
  const pictures = stills.filter((_, at) => whys[at] === null);
  const refused = pictures.length + videos.length > 0 ? await owners.addPictures(pictures, videos) : [];
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
async function loadModel(
  owners: FileOwners,
  sorted: SortedFiles,
  { file, beside, others }: NonNullable<SortedFiles['model']>,
): Promise<readonly Receipt[]> {
  const besideNames = beside.map(({ name }) => name);
  const [next, ...rest] = others;
  const why = await owners.loadModel(file, beside);
  if (why !== null && why !== '' && next) {
    const later = await loadModel(owners, sorted, { file: next, beside, others: rest });
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
  return [{ taken, leftOut: [] }, untried, await takeLabels(owners, sorted)];
}

const receiptOf = (kind: Taken['kind'], { name }: File, refusal: Refusal): Receipt =>
  refusal === null ? { taken: [{ kind, names: [name] }], leftOut: [] } : leaveOut([name], refusal);

const leaveOut = (names: readonly string[], why: string): Receipt => ({ taken: [], leftOut: [{ names, why }] });

const join = (parts: readonly Receipt[]): Receipt => ({
  taken: parts.flatMap(({ taken }) => taken),
  leftOut: parts.flatMap(({ leftOut }) => leftOut),
});
