import type { LabelPair } from './label-scheme.ts';

/** Labels are compared without case, as in `label_confidences`. */
const keyOf = (label: string): string => label.toLowerCase();

/**
 * Why a pair cannot be among others. Two labels of a dataset may count as one of the model; one that counts as two of them
 * would have two thresholds.
 *
 * @param pair what is to be added
 * @param others that count already
 * @returns a sentence; '': it can
 * @example
 * pairFault({ label: 'couch', modelLabel: 'settee' }, [{ label: 'couch', modelLabel: 'sofa' }]); // => '“couch” counts as “sofa” already. A label of the dataset counts as one label of the model.'
 */
export function pairFault({ label, modelLabel }: LabelPair, others: readonly LabelPair[]): string {
  if (label.trim() === '' || modelLabel.trim() === '')
    return `A name is empty: “${label}” and “${modelLabel}” were given. Give a label of the dataset and one of the model.`;
  if (keyOf(label) === keyOf(modelLabel))
    return `“${label}” and “${modelLabel}” count as the same anyway: labels are compared without case.`;
  const known = others.find((other) => keyOf(other.label) === keyOf(label));
  return known === undefined
    ? ''
    : `“${known.label}” counts as “${known.modelLabel}” already. A label of the dataset counts as one label of the model.`;
}

/**
 * The pairs that count for a model: of those that are kept with a dataset, others are meant for other models.
 *
 * @param pairs as they are kept; of several of one label, the first that the model has counts
 * @param modelLabels labels that the model can report; null: they are not known, and all pairs count
 * @returns the pairs in their order, one a label of the dataset
 * @example
 * pairsInForce([{ label: 'couch', modelLabel: 'settee' }, { label: 'couch', modelLabel: 'sofa' }], ['Sofa', 'cup']); // => [{ label: 'couch', modelLabel: 'sofa' }]
 */
export function pairsInForce(pairs: readonly LabelPair[], modelLabels: readonly string[] | null): readonly LabelPair[] {
  const known = modelLabels && new Set(modelLabels.map(keyOf));
  const inForce: LabelPair[] = [];
  for (const pair of pairs)
    if ((!known || known.has(keyOf(pair.modelLabel))) && pairFault(pair, inForce) === '') inForce.push(pair);
  return inForce;
}

/**
 * Says by which name a label of the truth is counted.
 *
 * @param pairs in force
 * @returns the model's name of a label, or the label as it is
 * @example
 * const nameOf = truthNames([{ label: 'couch', modelLabel: 'sofa' }]);
 * [nameOf('Couch'), nameOf('cup')]; // => ['sofa', 'cup']
 */
export function truthNames(pairs: readonly LabelPair[]): (label: string) => string {
  const names = new Map(pairs.map(({ label, modelLabel }) => [keyOf(label), modelLabel]));
  return (label) => names.get(keyOf(label)) ?? label;
}

/** Names of one thing in the label lists of COCO, Pascal VOC, Open Images and ImageNet; the first stands for all. */
const sameThings: readonly (readonly string[])[] = [
  ['couch', 'sofa', 'settee'],
  ['airplane', 'aeroplane'],
  ['motorcycle', 'motorbike'],
  ['bicycle', 'bike'],
  ['tv', 'tv monitor', 'television', 'television set'],
  ['cell phone', 'mobile phone', 'cellphone', 'cellular telephone'],
  ['donut', 'doughnut'],
  ['hair drier', 'hair dryer'],
  ['potted plant', 'houseplant'],
  ['truck', 'lorry'],
  ['person', 'people'],
  ['mouse', 'computer mouse'],
  ['keyboard', 'computer keyboard'],
  ['remote', 'remote control'],
];

/** Letters and digits alone: "Dining-Table" is "diningtable". */
const spelt = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const meanings = new Map(sameThings.flatMap(([first, ...others]) => others.map((one) => [spelt(one), spelt(first!)])));

/** The singular of a plural: the word without its ending; "glass" and "bus" are no plurals. */
function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** Equal for labels that differ in wording only. */
function meaningOf(label: string): string {
  const word = spelt(label);
  const one = singular(word);
  return meanings.get(word) ?? meanings.get(one) ?? one;
}

/**
 * Offers pairs of labels that differ in wording only: in case, blanks, signs or plural, or by a name that is known for the
 * same thing.
 *
 * @param truthLabels labels of the dataset
 * @param modelLabels labels that the model can report
 * @returns a pair for each label of the dataset that the model lacks and has under another name, in the dataset's order
 * @example
 * suggestPairs(['dining table', 'couch', 'cup'], ['diningtable', 'sofa', 'cup', 'fork']); // => [{ label: 'dining table', modelLabel: 'diningtable' }, { label: 'couch', modelLabel: 'sofa' }]
 */
export function suggestPairs(truthLabels: readonly string[], modelLabels: readonly string[]): readonly LabelPair[] {
  const known = new Set(modelLabels.map(keyOf));
  const offered: LabelPair[] = [];
  for (const label of truthLabels) {
    const meaning = meaningOf(label);
    if (known.has(keyOf(label)) || meaning === '') continue;
    const alike = modelLabels.filter((one) => meaningOf(one) === meaning);
    const modelLabel = alike.find((one) => spelt(one) === spelt(label)) ?? alike[0];
    if (modelLabel === undefined) continue;
    const pair = { label, modelLabel };
    if (pairFault(pair, offered) === '') offered.push(pair);
  }
  return offered;
}

/**
 * The labels of a dataset that the model lacks, and that no pair gives another name.
 *
 * @example
 * unpairedLabels(['couch', 'tv', 'Cup'], [{ label: 'couch', modelLabel: 'sofa' }], ['sofa', 'cup']); // => ['tv']
 */
export function unpairedLabels(
  truthLabels: readonly string[],
  pairs: readonly LabelPair[],
  modelLabels: readonly string[],
): readonly string[] {
  const known = new Set([...modelLabels, ...pairs.map(({ label }) => label)].map(keyOf));
  return truthLabels.filter((label) => !known.has(keyOf(label)));
}

/**
 * @param pairs in force, at least one
 * @returns which labels count as which, for reports
 * @example
 * pairsText([{ label: 'couch', modelLabel: 'sofa' }]); // => '“couch” counts as “sofa”'
 */
export const pairsText = (pairs: readonly LabelPair[]): string =>
  pairs.map(({ label, modelLabel }) => `“${label}” counts as “${modelLabel}”`).join(', ');

/**
 * Says by which name one model calls what another one calls otherwise, by what a dataset calls it.
 *
 * @param from pairs in force for the model whose names are given
 * @param to pairs in force for the model whose names are wanted
 * @returns the other model's name of a label; where the dataset has several labels for it, that of the first
 * @example
 * const nameOf = namesAcross([{ label: 'couch', modelLabel: 'sofa' }], [{ label: 'couch', modelLabel: 'settee' }]);
 * [nameOf('sofa'), nameOf('cup')]; // => ['settee', 'cup']
 */
export function namesAcross(from: readonly LabelPair[], to: readonly LabelPair[]): (label: string) => string {
  const ofTruth = new Map(from.toReversed().map(({ label, modelLabel }) => [keyOf(modelLabel), label]));
  const nameOf = truthNames(to);
  return (label) => {
    const inTruth = ofTruth.get(keyOf(label));
    if (inTruth === undefined) return nameOf(label);
    const name = nameOf(inTruth);
    return keyOf(name) === keyOf(label) ? label : name;
  };
}
