import { seededNumbers } from '../src/evidence/evaluation/intervals/seeded-numbers.ts';

const truthAnImage = 12;

/** Synthetic crowded scenes: most ground truth boxes are detected with a small offset, among many false detections. */
export function crowdedScenes(imageCount: number, boxesAnImage: number, labelCount: number) {
  const next = seededNumbers(20);
  const below = (bound: number): number => next() % bound;
  const images = Array.from({ length: imageCount }, (_, at) => ({ id: at + 1, width: 640, height: 480 }));
  const categories = Array.from({ length: labelCount }, (_, at) => ({ id: at + 1, name: `label ${at + 1}` }));
  const annotations: {
    id: number;
    image_id: number;
    category_id: number;
    bbox: number[];
    area: number;
    iscrowd: 0 | 1;
  }[] = [];
  const results: { image_id: number; category_id: number; bbox: number[]; score: number }[] = [];
  for (const { id } of images) {
    const own = Array.from({ length: truthAnImage }, () => {
      const bbox = [below(500), below(380), 10 + below(130), 10 + below(90)];
      const iscrowd: 0 | 1 = below(50) === 0 ? 1 : 0;
      const one = {
        id: annotations.length + 1,
        image_id: id,
        category_id: 1 + below(labelCount),
        bbox,
        area: bbox[2]! * bbox[3]!,
        iscrowd,
      };
      annotations.push(one);
      return one;
    });
    for (let at = 0; at < boxesAnImage; at++) {
      const near = at < 2 * truthAnImage ? own[at % truthAnImage]! : null;
      const bbox = near
        ? near.bbox.map((edge) => edge + (below(17) - 8))
        : [below(500), below(380), 10 + below(130), 10 + below(90)];
      const category = near && below(10) > 0 ? near.category_id : 1 + below(labelCount);
      results.push({ image_id: id, category_id: category, bbox, score: below(100_000) / 100_000 });
    }
  }
  return { truth: { images, categories, annotations }, results };
}
