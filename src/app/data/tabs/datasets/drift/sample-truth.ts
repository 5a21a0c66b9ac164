import type { SampleKind } from '../../../../../platform/ports/frame-source.ts';

type PixelBox = readonly [xMin: number, yMin: number, xMax: number, yMax: number];

interface MarkedPhotograph {
  /** size of the photograph */
  readonly size: readonly [widthPx: number, heightPx: number];
  /** px, by label */
  readonly boxes: Readonly<Record<string, readonly PixelBox[]>>;
}

type Marked = Readonly<Record<string, MarkedPhotograph>>;

/** Faces from the brows to the chin and from cheek to cheek, by the photographs' names. */
const faces: Marked = {
  'builtin/sample1.jpg': {
    size: [1920, 1280],
    boxes: {
      face: [
        [417, 430, 605, 598],
        [826, 472, 1030, 655],
        [1468, 250, 1660, 442],
      ],
    },
  },
  'builtin/sample2.jpg': {
    size: [1920, 1367],
    boxes: {
      face: [
        [362, 200, 540, 420],
        [893, 300, 1068, 452],
        [1438, 215, 1650, 388],
      ],
    },
  },
  'builtin/sample3.jpg': {
    size: [1920, 1350],
    boxes: {
      face: [
        [594, 392, 788, 597],
        [1074, 282, 1300, 500],
        [1505, 376, 1690, 572],
      ],
    },
  },
  'builtin/sample4.jpg': {
    size: [1920, 1448],
    boxes: {
      face: [
        [278, 256, 415, 432],
        [662, 118, 842, 307],
        [992, 250, 1170, 418],
        [1279, 198, 1428, 390],
      ],
    },
  },
  'builtin/sample5.jpg': {
    size: [1920, 1398],
    boxes: {
      face: [
        [610, 477, 770, 680],
        [776, 165, 950, 327],
        [1109, 268, 1280, 446],
        [1408, 462, 1592, 662],
        [396, 945, 555, 1173],
      ],
    },
  },
  'builtin/sample6.jpg': {
    size: [1920, 1537],
    boxes: {
      face: [
        [250, 569, 470, 760],
        [668, 402, 840, 638],
        [1176, 400, 1366, 580],
        [1495, 335, 1705, 567],
      ],
    },
  },
};

/**
 * The objects on the photographs of things, in COCO's words: those that are seen whole or nearly so. Hidden parts are not in a box.
 */
const things: Marked = {
  'builtin/room.jpg': {
    size: [1280, 1120],
    boxes: {
      'wine glass': [[480, 258, 576, 533]],
      bottle: [[592, 109, 674, 516]],
      'dining table': [[362, 434, 1206, 1040]],
    },
  },
  'builtin/desk.jpg': {
    size: [800, 598],
    boxes: { cat: [[0, 128, 800, 551]], cup: [[76, 229, 382, 441]], keyboard: [[660, 282, 800, 416]] },
  },
  'builtin/coffee.jpg': {
    size: [600, 400],
    boxes: { cup: [[173, 18, 408, 307]], spoon: [[327, 67, 424, 325]], 'dining table': [[0, 0, 600, 400]] },
  },
  'builtin/dogs.jpg': {
    size: [1280, 960],
    boxes: {
      dog: [
        [389, 199, 669, 533],
        [591, 606, 861, 960],
      ],
    },
  },
  'builtin/cat.jpg': { size: [451, 300], boxes: { cat: [[0, 0, 398, 300]] } },
  'builtin/astronaut.jpg': { size: [512, 512], boxes: { person: [[22, 15, 364, 512]] } },
};

/** The boxes of the sample photographs, drawn by eye and looked at again by another, not taken from a detector. */
const photographs: Readonly<Record<SampleKind, Marked>> = { faces, things };

/** Whether a model with these labels finds more than faces: it knows something of the photographs of things. */
export function sampleKindFor(labels: readonly string[] | null): SampleKind {
  const known = new Set(labels);
  const shown = Object.values(things).flatMap(({ boxes }) => Object.keys(boxes));
  return shown.some((label) => known.has(label)) ? 'things' : 'faces';
}

/**
 * The true boxes of a photograph, as shares of it.
 * @throws where the photograph is none of its kind
 */
export function sampleTruth(kind: SampleKind, name: string) {
  const marked = photographs[kind][name];
  if (!marked) throw new Error(`What is on ${name} is not known.`);
  const [widthPx, heightPx] = marked.size;
  return Object.entries(marked.boxes).flatMap(([label, boxes]) =>
    boxes.map(([xMin, yMin, xMax, yMax]) => ({
      label,
      xMinNormalized: xMin / widthPx,
      yMinNormalized: yMin / heightPx,
      xMaxNormalized: xMax / widthPx,
      yMaxNormalized: yMax / heightPx,
    })),
  );
}
