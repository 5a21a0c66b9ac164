import {
  type BoxOrder,
  nameClassificationTensor,
  nameDetectionTensors,
  type Outputs,
} from '../../../machine/vision/face/results.ts';
import { isSameRange, listInputs } from '../interpretations/input-interpretations.ts';
import { listInterpretations } from '../interpretations/list-interpretations.ts';
import { presentDetections } from '../interpretations/present-interpretation.ts';
import {
  boxOrderWords,
  type DetectionInterpretation,
  type InputInterpretation,
  type OutputInterpretation,
} from '../interpretations/interpretation.ts';
import type { Change, Feeding, Turn } from './hypothesis.ts';
import { inputAsTold, type ToldFeeding } from './told-feeding.ts';

/** The way in which a service reads its model, as far as it is known. */
export interface ServiceInterpretation {
  readonly remapOutputNames: Readonly<Record<string, string>>;
  readonly boxOrder: BoxOrder;
  /** the service shows nothing of its first label */
  readonly dropsFirstLabel: boolean;
}

/**
 * Finds out how a service reads a model's outputs now, whether or not its labels allow it.
 * @param outputs of one run, by tensor name
 * @param service its remap, box order, and whether it hides its first label
 * @returns an interpretation; null: the machine finds neither boxes nor classes in the outputs
 * @example
 * const outputs = new Map([['scores', { dtype: 'float32', shape: [1, 2], data: Float32Array.of(0.1, 0.9) }]]);
 * presentOutput(outputs, { remapOutputNames: {}, boxOrder: [1, 0, 3, 2], dropsFirstLabel: false }).probability; // => 'scores'
 * presentOutput(new Map(), { remapOutputNames: {}, boxOrder: [1, 0, 3, 2], dropsFirstLabel: false }); // => null
 */
export function presentOutput(outputs: Outputs, service: ServiceInterpretation): OutputInterpretation | null {
  const { remapOutputNames } = service;
  try {
    return presentDetections(nameDetectionTensors(outputs, remapOutputNames), service);
  } catch {
    // No detector: a classifier, perhaps.
  }
  try {
    const { tensor: probability } = nameClassificationTensor(outputs, remapOutputNames);
    return { kind: 'classifications', probability, activation: 'none', classBase: 0 };
  } catch {
    return null;
  }
}

/** An interpretation of a model's outputs, and in what it differs from the present one. */
export interface OutputHypothesis {
  readonly output: OutputInterpretation;
  readonly changes: readonly Change[];
}

/** More at once are no explanation. */
const mostChanges = 2;

/**
 * Lists the present interpretation first, then those that differ from it in one thing or two.
 * @param outputs of one run, by tensor name
 * @param present how the service reads them now; null: it cannot
 * @returns interpretations, each with what it changes
 * @example
 * const present = { kind: 'classifications', probability: 'scores', activation: 'none', classBase: 0 };
 * listOutputs(new Map(), present); // => [{ output: present, changes: [] }]
 */
export function listOutputs(outputs: Outputs, present: OutputInterpretation | null): readonly OutputHypothesis[] {
  const listed: OutputHypothesis[] = present ? [{ output: present, changes: [] }] : [];
  if (present?.kind === 'classifications') return listed;
  for (const { output } of listInterpretations(outputs)) {
    for (const other of withBoxForms(output)) {
      const changes = present ? outputChanges(present, other) : (['tensors'] as const);
      if (changes.length > 0 && changes.length <= mostChanges) listed.push({ output: other, changes });
    }
  }
  return listed;
}

/** Centres and sizes stand in x, y or in y, x. */
function withBoxForms(output: DetectionInterpretation): DetectionInterpretation[] {
  const words = boxOrderWords(output.boxOrder);
  if (words !== 'x, y, x, y' && words !== 'y, x, y, x') return [output];
  const boxOrder: BoxOrder = words.startsWith('x') ? [0, 1, 2, 3] : [1, 0, 3, 2];
  const forms = ['centre and size', 'corner and size'] as const;
  return [output, ...forms.map((boxForm) => ({ ...output, boxOrder, boxForm }))];
}

function outputChanges(a: DetectionInterpretation, b: DetectionInterpretation): Change[] {
  const isOther: readonly (readonly [Change, boolean])[] = [
    ['tensors', a.location !== b.location || a.category !== b.category || a.score !== b.score],
    ['box-order', boxOrderWords(a.boxOrder) !== boxOrderWords(b.boxOrder)],
    ['box-form', a.boxForm !== b.boxForm],
    ['box-space', a.space !== b.space],
    ['activation', a.activation !== b.activation],
    ['background', a.classBase !== b.classBase],
  ];
  return isOther.flatMap(([change, is]) => (is ? [change] : []));
}

/** A way of feeding the model, and in what it differs from the present one. */
export interface FeedingHypothesis {
  readonly feeding: Feeding;
  readonly changes: readonly Change[];
}

/**
 * Lists the present feeding first, then what the file or its family says of it, the other order of colours, each input
 * worth a try, and the frame turned.
 * @param present how the model is fed now
 * @param dtype of the model's input
 * @param told what the file or its family says; null: nothing
 * @returns feedings, each with what it changes; none occurs twice
 * @example
 * const present = { bgr: false, meanValue: [0, 0, 0], stdDev: [1, 1, 1], fit: 'stretch' };
 * const feedings = listFeedings(present, 'uint8', null);
 * feedings[0].feeding; // => { input: present, turnDegs: 0 }
 */
export function listFeedings(
  present: InputInterpretation,
  dtype: 'uint8' | 'float32',
  told: ToldFeeding | null,
): readonly FeedingHypothesis[] {
  const turns: readonly Turn[] = [180, 90, 270];
  const listed: InputInterpretation[] = [];
  for (const input of [
    present,
    ...(told ? [inputAsTold(told)] : []),
    { ...present, bgr: !present.bgr },
    ...listInputs(present, dtype).map((one) => one.input),
  ])
    if (!listed.some((other) => isSameInput(other, input))) listed.push(input);
  return [
    ...listed.map((input) => ({ feeding: { input, turnDegs: 0 as const }, changes: inputChanges(present, input) })),
    ...turns.map((turnDegs) => ({ feeding: { input: present, turnDegs }, changes: ['turn'] as const })),
  ];
}

function isSameInput(a: InputInterpretation, b: InputInterpretation): boolean {
  return a.fit === b.fit && a.bgr === b.bgr && isSameRange(a, b);
}

/** Values that go with the colour or with the place in the tensor are one range: both are how people exchange colours. */
function inputChanges(a: InputInterpretation, b: InputInterpretation): Change[] {
  const turned = { meanValue: b.meanValue.slice(0, 3).toReversed(), stdDev: b.stdDev.slice(0, 3).toReversed() };
  const isOther: readonly (readonly [Change, boolean])[] = [
    ['letterbox', a.fit !== b.fit],
    ['colours', a.bgr !== b.bgr],
    ['range', !isSameRange(a, b) && !(a.bgr !== b.bgr && isSameRange(a, turned))],
  ];
  return isOther.flatMap(([change, is]) => (is ? [change] : []));
}
