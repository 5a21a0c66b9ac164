import { beforeAll, describe, expect, it } from 'vitest';
import { docsSite } from './docs-site.ts';
import { findSections, wordsOf, type Section } from './site/find-sections.ts';

let sections: readonly Section[];
beforeAll(async () => {
  sections = JSON.parse(String((await docsSite()).get('search.json'))) as readonly Section[];
});

const recipes: readonly (readonly [asked: string, recipe: string])[] = [
  ['mobilenet ssd', 'tflite-ssd'],
  ['SSD MobileNet tflite', 'tflite-ssd'],
  ['detect.tflite', 'tflite-ssd'],
  ['labels off by one', 'tflite-ssd'],
  ['labelmap ???', 'tflite-ssd'],
  ['tensorflow object detection api', 'tflite-ssd'],
  ['yolox', 'yolox'],
  ['how to run YOLOX on a robot', 'yolox'],
  ['yolov6', 'yolox'],
  ['my own tflite', 'own-tflite'],
  ['custom tflite model', 'own-tflite'],
  ['edge impulse', 'own-tflite'],
  ['model maker', 'own-tflite'],
  ['keras mean deviation', 'own-tflite'],
  ['viam trained model', 'viam-trained'],
  ['managed training', 'viam-trained'],
  ['packages path', 'viam-trained'],
  ['yolov8', 'ultralytics'],
  ['best.pt', 'ultralytics'],
  ['yolo11 export onnx', 'ultralytics'],
  ['teachable machine', 'teachable-machine'],
  ['softmax quantized classifier', 'teachable-machine'],
  ['Why are my boxes wrong?', 'wrong-boxes'],
  ['boxes in wrong places', 'wrong-boxes'],
  ['red and blue swapped', 'wrong-boxes'],
  ['what letterbox costs', 'feeding'],
  ['80 labels', 'many-labels'],
  ['only some labels', 'many-labels'],
  ['choose threshold precision recall', 'thresholds'],
  ['how many images do I need', 'thresholds'],
  ['record below threshold', 'record'],
  ['replay', 'record'],
  ['dataset from captures', 'captures-to-dataset'],
  ['github actions', 'robot-ci'],
];

describe('the search of the documentation', () => {
  it.each(recipes)('leads whoever asks "%s" to the recipe %s', (asked, recipe) => {
    const found = findSections(sections, asked).slice(0, 3);
    expect(found.map(({ page }) => page)).toContain(`recipes/${recipe}.html`);
  });

  it('hears words without their plural, and without what only joins them', () => {
    expect(wordsOf('Why are the boxes of my model in wrong places?')).toEqual(['box', 'model', 'wrong', 'place']);
    expect(wordsOf('classes, best.pt; ${packages.x}')).toEqual(['class', 'best.pt', 'packages.x']);
    expect(wordsOf('what is this')).toEqual(['what', 'is', 'this']);
  });

  it('goes on with most words where no section has all, and says nothing of a word that nobody wrote', () => {
    const [first] = findSections(sections, 'yolox warehouse');
    expect(first).toEqual(findSections(sections, 'yolox')[0]);
    expect(findSections(sections, 'qwertzuiop')).toEqual([]);
  });
});
