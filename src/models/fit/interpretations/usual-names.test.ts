import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { cocoNames, ssdNames, usualNames } from './usual-names.ts';

it('of COCO are those of the published detector, in its order', async () => {
  expect(cocoNames.map((name) => `${name}\n`).join('')).toBe(
    await readFile('assets/nanodet/nanodet-g-416.labels.txt', 'utf8'),
  );
});

it.each([
  [80, 'net.onnx', 'COCO, 80 names', /80 classes/],
  [0, 'deimv2-COCO.onnx', 'COCO, 80 names', /file name/],
  [0, 'net.onnx', 'COCO, 80 names', null],
  [91, 'coco.onnx', null, null],
  [1, 'coco.onnx', null, null],
  [1, 'light_person.tflite', 'person', /one class/],
  [1, 'ultraface_RFB-320.onnx', 'face', /one class/],
  [1, 'Surface-defects.onnx', null, null],
  [1, 'handle.onnx', null, null],
  [2, 'face.onnx', null, null],
])('a detector of %i classes called %s usually has: %s, because of %s', (classCount, fileName, title, why) => {
  const usual = usualNames(classCount, fileName);
  expect(usual?.title ?? null).toBe(title);
  if (why) expect(usual!.why).toMatch(why);
  else expect(usual?.why ?? null).toBeNull();
});

it('an SSD of COCO numbers its classes by the ids, which leave some out', () => {
  const names = ssdNames('ssd_mobilenet_v1_COCO.tflite', [
    'TFLite_Detection_PostProcess',
    'TFLite_Detection_PostProcess:1',
  ])!;
  expect(names).toHaveLength(90);
  expect([names[0], names[10], names[11], names[12], names[16], names[89]]).toEqual([
    'person',
    'fire hydrant',
    '???',
    'stop sign',
    'cat',
    'toothbrush',
  ]);
  expect(names.filter((name) => name !== '???')).toEqual(cocoNames);
  expect(ssdNames('ssd_pets.tflite', ['TFLite_Detection_PostProcess'])).toBeNull();
  expect(ssdNames('yolo_coco.tflite', ['Identity'])).toBeNull();
});
