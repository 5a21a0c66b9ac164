import type { Masks } from '../../structure/family.ts';
import type { ModelStructure } from '../../structure/model-structure.ts';

/** The meaning of the numbers behind a box. */
export interface ClassesAmong {
  readonly classCount: number;
  /** numbers behind the class scores that can be kept for the bench; null: none */
  readonly further: FurtherNumbers | null;
  /** in words that follow the classes */
  readonly beside: string;
}

/** What Ultralytics' models of other tasks say of a candidate behind its class scores. */
export type FurtherNumbers =
  | { readonly kind: 'key points'; readonly points: number; /** 2: x and y, 3: and how sure */ readonly each: number }
  | (Omit<Masks, 'prototypes'> & { readonly output: string; readonly isChannelsLast: boolean });

const besides: Readonly<Record<string, string>> = { segment: ' of masks', pose: ' of key points', obb: ' of angles' };

/** 17 points of three numbers each. */
export const numbersOfCocoPoints = 17 * 3;

/** How many of the numbers behind a box are class scores: those of masks, key points and angles stand behind them. */
export function classesAmong(model: ModelStructure, output: string, numbers: number): ClassesAmong {
  const { labels, metadata } = model;
  const masks = prototypesOf(model);
  const saysPoints = metadata['task'] === 'pose' || (!masks && !('task' in metadata) && endsInPoints(model, output));
  const said = labels?.length ?? 0;
  const isSaid = said > 0 && said < numbers && (masks !== null || saysPoints || 'task' in metadata);
  const classCount = isSaid
    ? said
    : saysPoints && numbers === 1 + numbersOfCocoPoints
      ? 1
      : numbers - (metadata['task'] === 'obb' ? 1 : (masks?.shape[1] ?? 0));
  const left = numbers - classCount;
  const further = masks && left === masks.shape[1] ? masks : saysPoints ? pointsAmong(left, metadata) : null;
  const what = further ? ` of ${further.kind}` : (besides[metadata['task'] ?? ''] ?? (masks ? ' of masks' : ''));
  return {
    classCount,
    further,
    beside: left > 0 ? `; ${left} further numbers${what} are not boxes, and the machine ignores them` : '',
  };
}

/** The map of prototypes, a quarter of the picture's size. */
export function prototypesOf({ outputs, picture }: ModelStructure): Extract<FurtherNumbers, { kind: 'masks' }> | null {
  const [height, width] = [picture!.heightPx / 4, picture!.widthPx / 4];
  const isQuarter = (a: number | undefined, b: number | undefined) =>
    (a === height && b === width) || (a === -1 && b === -1 && height > 0);
  for (const { name, shape } of outputs) {
    if (shape.length !== 4) continue;
    const isChannelsFirst = isQuarter(shape[2], shape[3]);
    const isChannelsLast = isQuarter(shape[1], shape[2]) && (!isChannelsFirst || picture!.layout === 'nhwc');
    if (!isChannelsFirst && !isChannelsLast) continue;
    const count = shape[isChannelsLast ? 3 : 1]!;
    if (count > 0) return { kind: 'masks', output: name, isChannelsLast, shape: [1, count, height, width] };
  }
  return null;
}

/** The last of the tensors that are joined is decoded, and has a sigmoid, too: class scores are not multiplied by strides. */
function endsInPoints({ partsOf }: ModelStructure, output: string): boolean {
  const parts = partsOf(output);
  const last = parts.at(-1);
  return parts.length > 1 && last!.has('Sigmoid') && last!.has('Mul') && !parts[0]!.has('Sigmoid');
}

/** Key points that these numbers are: by the shape that the file states, else of three numbers each; null: they are none. */
export function pointsAmong(numbers: number, { kpt_shape: stated }: ModelStructure['metadata']): FurtherNumbers | null {
  const [points = 0, each = 0] = (stated?.match(/\d+/g) ?? []).map(Number);
  if (points * each === numbers && (each === 2 || each === 3)) return { kind: 'key points', points, each };
  return numbers > 0 && numbers % 3 === 0 ? { kind: 'key points', points: numbers / 3, each: 3 } : null;
}

/** Whether Ultralytics' metadata say that the graph chooses its rows: end to end, or with suppression inside. */
export function choosesByMetadata({ metadata: { end2end, args = '' } }: ModelStructure): boolean {
  return end2end === 'True' || /'nms': True/.test(args);
}

/** How many numbers stand behind box and classes by Ultralytics' metadata; null: they name no task of a detector. */
export function numbersByMetadata({
  metadata: { task, kpt_shape: points = '' },
  outputs,
}: ModelStructure): number | null {
  switch (task) {
    case 'detect':
      return 0;
    case 'obb':
      return 1;
    case 'pose':
      return (points.match(/\d+/g) ?? []).map(Number).reduce((a, b) => a * b, 1);
    case 'segment': {
      const prototypes = outputs.find(({ shape }) => shape.length === 4)?.shape[1] ?? -1;
      return prototypes > 0 ? prototypes : null;
    }
    default:
      return null;
  }
}
