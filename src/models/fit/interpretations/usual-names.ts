/** Names of COCO's classes in the order in which detectors have them: 80 of its 90 ids (cocodataset.org, instances of 2017). */
export const cocoNames: readonly string[] = `
person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic light, fire hydrant, stop sign,
parking meter, bench, bird, cat, dog, horse, sheep, cow, elephant, bear, zebra, giraffe, backpack, umbrella,
handbag, tie, suitcase, frisbee, skis, snowboard, sports ball, kite, baseball bat, baseball glove, skateboard,
surfboard, tennis racket, bottle, wine glass, cup, fork, knife, spoon, bowl, banana, apple, sandwich, orange,
broccoli, carrot, hot dog, pizza, donut, cake, chair, couch, potted plant, bed, dining table, toilet, tv, laptop,
mouse, remote, keyboard, cell phone, microwave, oven, toaster, sink, refrigerator, book, clock, vase, scissors,
teddy bear, hair drier, toothbrush`
  .trim()
  .split(/,\s/);

/** Names that a detector without any has very probably, or may have. */
export interface UsualNames {
  /** "COCO, 80 names" */
  readonly title: string;
  readonly names: readonly string[];
  /** why it has them, in a sentence; null: nothing speaks against it, and nothing for it */
  readonly why: string | null;
}

/** Classes that detectors of one class are published for, as their files are called. */
const onlyClass = /(?<!sur|inter)face|person|pedestrian|palm|(?<![a-z])(?:hand|head)(?![a-z])/i;

/**
 * Gives the names that the classes of a detector have where its file holds none.
 * @param classCount how many it has; 0: nothing says it
 * @param fileName name of its file
 * @returns the names, and why; null: none are usual
 * @example
 * usualNames(80, 'yolox.onnx')?.title; // => 'COCO, 80 names'
 * usualNames(1, 'light_person.tflite')?.names; // => ['person']
 * usualNames(2, 'pets.onnx'); // => null
 */
export function usualNames(classCount: number, fileName: string): UsualNames | null {
  const coco = { title: 'COCO, 80 names', names: cocoNames };
  if (classCount === cocoNames.length)
    return { ...coco, why: 'It has 80 classes, as COCO has, which most published detectors learned.' };
  if (classCount === 0) return { ...coco, why: /coco/i.test(fileName) ? 'Its file name says COCO.' : null };
  const only = classCount === 1 ? onlyClass.exec(fileName)?.[0].toLowerCase() : undefined;
  return only === undefined
    ? null
    : { title: only, names: [only], why: `It has one class, and its file name says ${only}.` };
}

/** Ids of COCO, from 1 to 90, that no class has. */
const unusedIds: readonly number[] = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83];

/**
 * Gives the names by which an SSD of the TensorFlow Object Detection API numbers what it finds, where its file says COCO: its class 0 is
 * the id 1 (mscoco_label_map.pbtxt).
 * @param fileName name of its file
 * @param outputs names of its output tensors
 * @returns 90 names, `???` for an id that no class has; null: it is none
 * @example
 * ssdNames('ssd_mobilenet_v1_coco.tflite', ['TFLite_Detection_PostProcess'])?.[16]; // => 'cat'
 * ssdNames('detect.tflite', ['TFLite_Detection_PostProcess']); // => null
 */
export function ssdNames(fileName: string, outputs: readonly string[]): readonly string[] | null {
  if (!/coco/i.test(fileName) || !outputs.some((name) => name.startsWith('TFLite_Detection_PostProcess'))) return null;
  const names = cocoNames.values();
  return Array.from({ length: 90 }, (_, at) => (unusedIds.includes(at + 1) ? '???' : names.next().value!));
}
