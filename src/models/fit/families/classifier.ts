import { reshape, slice } from '../../onnx/face/graphs.ts';
import {
  asImageNet,
  asSigned,
  asUnits,
  notThisFamily,
  specificity,
  type Family,
  type Head,
  type Classifications,
  type Preprocessing,
} from '../structure/family.ts';
import type { ModelStructure } from '../structure/model-structure.ts';
import type { ChoiceOption, OptionSpec } from '../structure/options.ts';
import { mostClasses } from '../../../machine/vision/face/results.ts';
import { shapeText } from '../../../machine/vision/face/feeding.ts';

const normalizers = ['LpNormalization', 'ReduceL2'];

const scoresOption = (activation: string | undefined): ChoiceOption => ({
  kind: 'choice',
  key: 'scores',
  about: 'What the model gives: logits, which a softmax makes probabilities of, or probabilities as they are.',
  choices: ['logits', 'probabilities'],
  usual: activation === undefined ? 'logits' : 'probabilities',
  isToldByGraph: activation !== undefined,
});

const backgroundOption = (usual: string): ChoiceOption => ({
  kind: 'choice',
  key: 'background',
  about: 'Whether the first class stands for none of the others and is left out.',
  choices: ['none', 'first'],
  usual,
});

/** One output with a number a class: [1, C], [1, C, 1, 1] or [1, 1, 1, C]. */
export const classifier: Family = {
  id: 'classifier',
  name: 'classifier',
  kind: 'classifications',
  recognise(model) {
    const { picture, outputs, labels } = model;
    if (!picture) return notThisFamily('its first input is not a picture');
    const [output, ...others] = outputs.filter(({ shape }) => classesOf(shape) > 1);
    if (!output) return notThisFamily('no output has one number a class, as [1, classes]');
    if (others.length > 0 || outputs.some(({ shape }) => shape.filter((size) => size > 1).length > 1)) {
      return notThisFamily(
        `it has ${outputs.length} outputs, of which more than one could say something of the picture`,
      );
    }
    const all = classesOf(output.shape);
    if (all > mostClasses) return notThisFamily(`${all} numbers are too many to be classes`);
    const operators = model.headOf(output.name);
    const normalizer = normalizers.find((operator) => operators.has(operator));
    if (normalizer !== undefined)
      return notThisFamily(`${normalizer} makes an embedding of unit length of its output`, 2);
    const hasBackground = labels !== null && labels.length === all - 1;
    const activation = ['Softmax', 'Sigmoid', 'HardSigmoid'].find((operator) => operators.has(operator));
    const fed = feeding(model);
    const options: readonly OptionSpec[] = [
      scoresOption(activation),
      backgroundOption(hasBackground ? 'first' : 'none'),
    ];
    return {
      fits: true,
      evidence: [
        `The only output "${output.name}" ${shapeText(output.shape)} has one number for each of ${all} classes.`,
        activation === undefined
          ? 'No softmax and no sigmoid stands after its last weights, so the numbers are logits.'
          : `A ${activation.toLowerCase()} makes them probabilities.`,
        ...(hasBackground ? [`There are ${labels.length} labels, so the first class is a background.`] : []),
        ...(fed.why === '' ? [] : [fed.why]),
      ],
      specificity: specificity.shape,
      widthPx: picture.widthPx,
      heightPx: picture.heightPx,
      classCount: all,
      options,
      preprocessing: fed.preprocessing,
      ...(fed.isGuess && { feedingGuess: fed.why }),
      outputs: [output.name],
      attach: (head) => attach(head, output.name, all),
    };
  },
};

/** The only size above 1 of an output of one picture; 0 where there is none, or more than one. */
function classesOf(shape: readonly number[]): number {
  const sizes = shape.slice(1).filter((size) => size !== 1);
  return shape.length >= 2 && (shape[0] === 1 || shape[0] === -1) && sizes.length === 1 ? sizes[0]! : 0;
}

/** What the file says of its classifier's feeding, or the graph; else a guess by who wrote it, which options correct. */
function feeding({ picture, producer, metadata, normalization }: ModelStructure): {
  readonly preprocessing: Preprocessing;
  readonly why: string;
  readonly isGuess: boolean;
} {
  const rgb = { colour: 'rgb', letterbox: null } as const;
  // What the graph does to pixels is added, as evidence and as feeding, for every family.
  if (normalization) return { preprocessing: { ...rgb, ...asUnits }, why: '', isGuess: false };
  if (picture?.dtype === 'uint8')
    return {
      preprocessing: { ...rgb, ...asUnits },
      why: 'It takes bytes, so there is no range to guess.',
      isGuess: false,
    };
  if (metadata['task'] === 'classify') {
    return {
      preprocessing: { ...rgb, ...asUnits },
      why: 'Its metadata says task "classify", which feeds 0..1 in RGB.',
      isGuess: false,
    };
  }
  if (/caffe/i.test(producer)) {
    const inUnits = ([b, g, r]: readonly [number, number, number]) => [b / 255, g / 255, r / 255] as const;
    const mean = inUnits([103.939, 116.779, 123.68]);
    const preprocessing = { colour: 'bgr', mean, stdDev: inUnits([1, 1, 1]), letterbox: null } as const;
    return {
      preprocessing,
      why: `Written by ${producer}: Caffe's models usually take bytes in BGR less the mean of ImageNet. That is a guess.`,
      isGuess: true,
    };
  }
  if (picture?.layout === 'nhwc' || /tf2onnx|keras|tensorflow/i.test(producer)) {
    return {
      preprocessing: { ...rgb, ...asSigned },
      why: "Channels last, or TensorFlow's writer: such models usually take −1..1 in RGB. That is a guess.",
      isGuess: true,
    };
  }
  return {
    preprocessing: { ...rgb, ...asImageNet },
    why: 'Nothing says how it was fed. RGB with the mean and deviation of ImageNet is usual, and a guess.',
    isGuess: true,
  };
}

function attach(head: Head, name: string, all: number): Classifications {
  const { build } = head;
  const values = reshape(build, head.output(name), [1, all]);
  const probabilities =
    head.choice('scores') === 'logits' ? build.add('Softmax', [values], { axis: { int: 1 } }) : values;
  if (head.choice('background') === 'none')
    return { kind: 'classifications', classCount: all, probability: probabilities };
  return { kind: 'classifications', classCount: all - 1, probability: slice(build, probabilities, 1, 1, all) };
}
