import { sameModelTolerance, type AnswerComparison, type RowDifference } from './compare-answers.ts';
import type { LiveModelMetadata } from './live-machine.ts';
import { type ServiceFilterRule, serviceThresholds } from '../../machine/vision/face/filters.ts';
import type { TensorInfo } from '../../machine/vision/face/feeding.ts';

/** Why a machine says something else of the same frame, as far as the answers tell, the likeliest first. */
export type LikelyReason =
  | 'labels-missing-there'
  | 'labels-missing-here'
  | 'other-labels'
  | 'rounding'
  | 'other-model'
  | 'other-rows'
  | 'thresholds-differ'
  | 'at-a-threshold'
  | 'cannot-tell'
  | 'other-provider'
  | 'other-attribute'
  | 'other-service'
  | 'other-color'
  | 'more-than-one'
  | 'unknown';

export interface ReasonInWords {
  readonly reason: LikelyReason;
  readonly words: string;
}

const words: Readonly<Record<LikelyReason, string>> = {
  'labels-missing-there':
    'The machine says index numbers: it has no label file, or finds none at label_path. Put the label file there, or name it.',
  'labels-missing-here':
    'The machine has names where index numbers stand here: give this model the label file that the machine has.',
  'other-labels': 'Boxes are the same and names are not: the label file there is another one, or is shifted by a line.',
  rounding:
    'This is rounding between two runtimes: an edge of a box by one pixel, or rows of all but equal scores in another order. Nothing needs to be fixed.',
  'other-rows':
    'The machine finds rows that would pass the thresholds here, but the bench does not find them. Another model runs there, or the same model gets other input.',
  'other-model': 'The model there is another one: its tensors are not those of the model here.',
  'thresholds-differ':
    'One side keeps rows that the other drops: these thresholds are not what the machine has. Write the configuration there.',
  'at-a-threshold': 'The rows lie at a threshold, so a score that differs in its last digits decides.',
  'cannot-tell':
    'This frame does not tell why: no row is the same on both sides, so the thresholds may differ, or the model. A frame with the same row on both sides will tell.',
  'other-provider':
    'The same rows with other scores: an int8 or float16 model on another execution provider, another runtime, or another JPEG decoder.',
  'other-attribute': 'An attribute of the vision service is another one there.',
  'other-service':
    'Two services are compared: the bench tunes another one than the machine was asked. Choose the same one on both sides.',
  'other-color':
    'Of a colour detector its attributes decide: its colour, tolerance, cut-offs, area or label is another one there. Compare them with those here.',
  'more-than-one':
    'No single attribute, label file or threshold explains it, and no two that were tried: two or more things differ, or the model file. Compare them with the machine’s, one after the other.',
  unknown:
    'Another model file of the same shape, another box order or other attributes: compare the configuration with the machine’s.',
};

/** What the reasons are judged by, besides the answers. */
export interface ReasonFacts {
  /** the thresholds here */
  readonly rule: ServiceFilterRule | null;
  readonly model: ModelFacts | null;
  /** Whether the model here says all rows of the machine, before thresholds. Asked only where the answers alone do not tell. */
  readonly hasTheirRows?: () => boolean;
  readonly service?: ServiceFacts;
}

/** The service here, as far as it is known. */
export interface ServiceFacts {
  /** whether another service runs here, although the configuration has the one that the machine was asked */
  readonly isOther: boolean;
  readonly isColorDetector: boolean;
}

export interface ModelFacts {
  /** input tensors of the model here */
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
  /** metadata of the model there; null where it was not asked */
  readonly there: LiveModelMetadata | null;
}

/** The likely reasons of what differs; none where nothing does. */
export function likelyReasons(comparison: AnswerComparison, facts: ReasonFacts): readonly ReasonInWords[] {
  return reasonsOf(comparison, facts).map(inWords);
}

export const inWords = (reason: LikelyReason): ReasonInWords => ({ reason, words: words[reason] });

function reasonsOf(
  { verdict, differences, largestScoreDifference, rows }: AnswerComparison,
  { model, rule, service, hasTheirRows = () => false }: ReasonFacts,
): LikelyReason[] {
  if (verdict === 'equal') return [];
  if (service?.isOther) return ['other-service'];
  if (service?.isColorDetector) return ['other-color'];
  // With another model everything may differ: no label file and no threshold is to blame.
  if (model?.there && isOtherModel(model)) return ['other-model'];
  if (verdict === 'scores-differ') return largestScoreDifference > sameModelTolerance ? ['other-provider'] : [];
  if (verdict === 'rounding') return ['rounding'];
  const reasons: LikelyReason[] = [];
  const telling = differences.filter(({ isRounding }) => !isRounding);
  const labels = telling.filter(({ what }) => what === 'label');
  if (labels.length > 0) reasons.push(labelReason(labels));
  const alone = telling.filter(({ what }) => what === 'only-here' || what === 'only-there');
  if (alone.length > 0 && labels.length === 0)
    reasons.push(aloneReason(telling, alone, rule, () => rows > telling.length || hasTheirRows()));
  if (reasons.length === 0) reasons.push(largestScoreDifference > sameModelTolerance ? 'other-provider' : 'unknown');
  return reasons;
}

function labelReason(labels: readonly RowDifference[]): LikelyReason {
  if (labels.every(({ here, there }) => isIndex(there!.label) && !isIndex(here!.label))) return 'labels-missing-there';
  if (labels.every(({ here, there }) => isIndex(here!.label) && !isIndex(there!.label))) return 'labels-missing-here';
  return 'other-labels';
}

/**
 * Rows that only one side has, while others agree, were dropped by a filter; nothing else leaves the rest as it was. Where no row
 * agrees, another model would explain them as well.
 */
function aloneReason(
  differences: readonly RowDifference[],
  alone: readonly RowDifference[],
  rule: ServiceFilterRule | null,
  isSameModel: () => boolean,
): LikelyReason {
  if (rule && alone.some((difference) => passesHere(difference, rule))) return 'other-rows';
  if (alone.length < differences.length) return 'unknown';
  if (rule && alone.every((difference) => isAtThreshold(difference, rule))) return 'at-a-threshold';
  return isSameModel() ? 'thresholds-differ' : 'cannot-tell';
}

/** Only the machine has it, and the thresholds here would let it pass: they are not why it is missing here. */
function passesHere({ there }: RowDifference, rule: ServiceFilterRule): boolean {
  return there !== null && there.score - serviceThresholds([there.label], rule)[0]! >= sameModelTolerance;
}

function isAtThreshold({ here, there }: RowDifference, rule: ServiceFilterRule): boolean {
  const { label, score } = (here ?? there)!;
  return Math.abs(score - serviceThresholds([label], rule)[0]!) < sameModelTolerance;
}

const isIndex = (label: string): boolean => /^\d+$/.test(label);

function isOtherModel({ inputs, outputs, there }: ModelFacts): boolean {
  return !agree(inputs, there!.inputs) || !agree(outputs, there!.outputs);
}

/** Modules leave out what they do not know: names and shapes count where both sides say them. */
function agree(here: readonly TensorInfo[], there: LiveModelMetadata['inputs']): boolean {
  if (there.length === 0) return true;
  if (here.length !== there.length) return false;
  return there.every(({ shape }, at) => {
    const ours = here.find(({ name }) => name === there[at]!.name) ?? here[at]!;
    return shape.length === 0 || sameShape(ours.shape, shape);
  });
}

function sameShape(here: readonly number[], there: readonly number[]): boolean {
  if (here.length !== there.length) return false;
  return here.every((size, at) => size === there[at] || size <= 0 || there[at]! <= 0);
}
