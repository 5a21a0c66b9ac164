import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type LabelPair,
  pairFault,
  pairsInForce,
  pairsText,
  schemeFormats,
  suggestPairs,
  truthNames,
} from '../../evidence/datasets/face/labels.ts';
import { readLabelScheme } from '../../evidence/datasets/face/scheme-files.ts';
import { CliError, reportOf } from '../record/cli-error.ts';
import { readTextFile } from '../shared/load-config.ts';
import { made, repeated, type Field } from '../record/field.ts';
import type { TrueFrames } from './read-truth.ts';
import type { NamedFrames } from './see-frames.ts';
import { UsageError } from '../record/usage-error.ts';

/** Which labels of the data a model calls by other names, as it was asked. */
export interface AskedPairs {
  readonly pairs: readonly LabelPair[];
  /** label schemes, as Sightglass writes them */
  readonly files: readonly string[];
  /** those that lie with the data count, too */
  readonly own: boolean;
}

export const labelMap: Field<AskedPairs> = made(
  repeated(
    '--map PAIR|FILE',
    "LABEL=NAME counts that label of the data as the model's label NAME; a file, as scheme.json, has such pairs in a label scheme that the app exports. label-scheme.json in the folder of the data is read by itself",
  ),
  (texts) => {
    const pairs: LabelPair[] = [];
    const files: string[] = [];
    for (const text of texts) {
      const [label, modelLabel, ...more] = text.split('=').map((name) => name.trim());
      if (modelLabel === undefined && /\.json$/i.test(text)) files.push(text);
      else if (label === undefined || modelLabel === undefined || more.length > 0)
        throw new UsageError(
          `--map wants LABEL=NAME, a label of the data and the model's name of it, or a scheme that ends in .json, got "${text}".`,
        );
      else {
        const fault = pairFault({ label, modelLabel }, pairs);
        if (fault !== '') throw new UsageError(`--map "${text}": ${fault}`);
        pairs.push({ label, modelLabel });
      }
    }
    return { pairs, files, own: true };
  },
);

/**
 * The pairs that count for a model: those of the command first, then those of files, then those that lie with the data in
 * `label-scheme.json`. Says which they are, and what is left of names that differ in wording only.
 *
 * @param modelLabels null: not known
 * @throws CliError
 */
async function pairsOf(
  { pairs, files, own }: AskedPairs,
  { dataPath, labels }: { readonly dataPath: string; readonly labels: readonly string[] },
  modelLabels: readonly string[] | null,
  say: (text: string) => void,
): Promise<readonly LabelPair[]> {
  const read = await Promise.all(files.map((path) => schemePairs(path)));
  const ownPath = own ? await ownScheme(dataPath) : null;
  const kept = ownPath === null ? [] : await schemePairs(ownPath);
  const asked = [...pairs, ...read.flat()];
  const inForce = pairsInForce([...asked, ...kept], modelLabels);
  const has = (names: readonly string[], name: string): boolean =>
    names.some((one) => one.toLowerCase() === name.toLowerCase());
  for (const { label, modelLabel } of pairs) {
    if (modelLabels && !has(modelLabels, modelLabel))
      say(`--map ${label}=${modelLabel}: the model has no label "${modelLabel}", so the pair counts for nothing.`);
    if (!has(labels, label)) say(`--map ${label}=${modelLabel}: the data has no label "${label}".`);
  }
  if (inForce.length > 0) say(`Labels of the data by the model's names: ${pairsText(inForce)}.`);
  const nameOf = truthNames(inForce);
  const offered = modelLabels ? suggestPairs(labels.map(nameOf), modelLabels) : [];
  if (offered.length > 0)
    say(
      `${offered.length} ${offered.length === 1 ? 'name differs' : 'names differ'} in wording only. To treat them as the same: ${offered.map(({ label, modelLabel }) => `--map "${label}=${modelLabel}"`).join(' ')}`,
    );
  return inForce;
}

async function schemePairs(path: string): Promise<readonly LabelPair[]> {
  const text = await readTextFile(path, 'label scheme');
  try {
    return readLabelScheme(text).pairs;
  } catch (cause) {
    throw new CliError('not-a-scheme', `"${path}" is not a label scheme. ${reportOf(cause).message}`, { cause });
  }
}

/** The scheme that lies in the data's folder; null: none does. */
async function ownScheme(dataPath: string): Promise<string | null> {
  const folder = (await stat(dataPath)).isDirectory() ? dataPath : dirname(dataPath);
  const path = join(folder, schemeFormats.sightglass.file);
  const isThere = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  return isThere ? path : null;
}

/** Frames whose labels have the names that the model has for them: everything behind counts by these. @throws CliError */
export async function byModelNames(
  frames: TrueFrames,
  asked: AskedPairs,
  { dataPath, modelLabels }: { readonly dataPath: string; readonly modelLabels: readonly string[] | null },
  say: (text: string) => void,
): Promise<NamedFrames> {
  const tags = frames.frames.flatMap((frame) => frame.tags);
  const labels = [...new Set([...frames.labels, ...tags])];
  const labelPairs = await pairsOf(asked, { dataPath, labels }, modelLabels, say);
  if (labelPairs.length === 0) return { ...frames, labelPairs };
  const nameOf = truthNames(labelPairs);
  const named = <Labelled extends { readonly label: string }>(one: Labelled): Labelled => ({
    ...one,
    label: nameOf(one.label),
  });
  return {
    labelPairs,
    labels: [...new Set(frames.labels.map(nameOf))],
    frames: frames.frames.map((frame) => ({
      ...frame,
      boxes: frame.boxes.map(named),
      classifications: frame.classifications.map(named),
      tags: frame.tags.map(nameOf),
    })),
  };
}
