import { readdir, readFile } from 'node:fs/promises';
import { parseLabels } from '../../src/machine/vision/decode/labels.ts';

/** A model whose right feeding is known, though nothing is told of it here. */
export interface LabelledModel {
  readonly name: string;
  readonly file: string;
  readonly labels: string | readonly string[];
  /** the photographs that show what it was trained for */
  readonly sees: 'classes' | 'things' | 'persons' | 'faces';
  /** the right feeding, in the words of `feedingWords` */
  readonly fed: string;
}

const coco = 'coco80.labels.txt';
const imageNet = 'imagenet1000.labels.txt';

/** In two halves: the numbers of `rankFeedings` were chosen on the first. */
export const labelledModels: readonly (readonly LabelledModel[])[] = [
  [
    { name: 'SqueezeNet', file: 'SqueezeNet_fp16_winml.onnx', labels: imageNet, sees: 'classes', fed: 'BGR, bytes less the ImageNet mean' },
    { name: 'FastestDet', file: 'FastestDet_ortx.onnx', labels: coco, sees: 'things', fed: 'BGR, values from 0 to 1' },
    { name: 'DEIMv2', file: 'deimv2_hgnetv2_atto_coco.onnx', labels: coco, sees: 'things', fed: 'RGB, values from 0 to 1' },
    { name: 'UltraFace', file: 'ultraface_RFB-320.onnx', labels: ['face'], sees: 'faces', fed: 'RGB, values from −1 to 1' },
  ],
  [
    { name: 'MobileNet v2 (TFLite)', file: 'mobilenet_v2_1.0_224_quant.tflite', labels: imageNet, sees: 'classes', fed: 'RGB' },
    { name: 'NanoDet', file: 'nanodet_m_320.onnx', labels: coco, sees: 'things', fed: 'BGR, ImageNet mean and deviation' },
    { name: 'YOLOX-nano', file: 'yolox_nano_416.onnx', labels: coco, sees: 'things', fed: 'BGR, values from 0 to 255' },
    { name: 'light_person (TFLite)', file: 'light_person.tflite', labels: ['person'], sees: 'persons', fed: 'BGR, values from 0 to 255' },
    { name: 'BlazeFace (TFLite)', file: 'face_detection_back.tflite', labels: ['face'], sees: 'faces', fed: 'RGB, values from −1 to 1' },
  ],
]; // prettier-ignore

/** A photograph with one clear answer. */
export interface LabelledPhotograph {
  readonly file: string;
  /** a label of the model */
  readonly answer: string;
}

const faces = ['satya.jpg', 'faces_1.jpg', 'coco/000000000110.jpg', 'coco/000000000049.jpg'];
/** What a person would name: a thing that covers this share of the picture, and nothing larger. */
const leastShare = 0.1;

/** Photographs that show what a model was trained for, each with what a person would say is on it. */
export async function photographsFor({ sees, labels }: LabelledModel, data: URL): Promise<LabelledPhotograph[]> {
  if (sees === 'faces') return faces.map((file) => ({ file, answer: 'face' }));
  if (sees === 'classes') {
    const files = (await readdir(new URL('images/imagenet/', data))).toSorted();
    return files.map((file) => ({
      file: `imagenet/${file}`,
      answer: file.replace(/^n\d+_|\.\w+$/g, '').replaceAll('_', ' '),
    }));
  }
  const truth = JSON.parse(await readFile(new URL('images/coco/instances.json', data), 'utf8')) as CocoTruth;
  const names = await labelsOf(labels === coco ? coco : labels, data);
  const numbers = truth.categories.map(({ id }) => id).toSorted((a, b) => a - b);
  return truth.images.flatMap(({ id, file_name, width, height }) => {
    const shareOf = ({ bbox: [, , wide, high] }: CocoTruth['annotations'][number]) => (wide * high) / (width * height);
    const [largest] = truth.annotations
      .filter(({ image_id }) => image_id === id)
      .toSorted((a, b) => shareOf(b) - shareOf(a));
    if (!largest || shareOf(largest) < leastShare) return [];
    // The list of labels has COCO's categories in the order of their numbers; persons come first.
    const answer = names[numbers.indexOf(largest.category_id)];
    return answer === undefined ? [] : [{ file: `coco/${file_name}`, answer }];
  });
}

interface CocoTruth {
  readonly images: readonly { readonly id: number; readonly file_name: string; readonly width: number; readonly height: number }[]; // prettier-ignore
  readonly annotations: readonly { readonly image_id: number; readonly category_id: number; readonly bbox: readonly [number, number, number, number] }[]; // prettier-ignore
  readonly categories: readonly { readonly id: number }[];
}

/** The labels of a model, by class number. */
export async function labelsOf(labels: LabelledModel['labels'], data: URL): Promise<readonly string[]> {
  return typeof labels === 'string' ? parseLabels(await readFile(new URL(`models/${labels}`, data), 'utf8')) : labels;
}
