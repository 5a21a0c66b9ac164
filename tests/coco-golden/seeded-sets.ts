import { seededNumbers } from '../../src/evidence/evaluation/intervals/seeded-numbers.ts';

export interface CocoTruthFile {
  readonly images: readonly { readonly id: number; readonly width: number; readonly height: number }[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly annotations: readonly CocoAnnotation[];
}

interface CocoAnnotation {
  readonly id: number;
  readonly image_id: number;
  readonly category_id: number;
  readonly bbox: readonly [number, number, number, number];
  readonly area: number;
  readonly iscrowd: 0 | 1;
  readonly ignore?: 0 | 1;
}

export interface CocoResult {
  readonly image_id: number;
  readonly category_id: number;
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
}

/**
 * Random ground truth and results of a seed, as COCO files. They contain crowds, ignored truth, `area` fields that differ
 * from width × height and lie on the size bounds, equal scores and overlaps, unordered ids from 0, images and labels without
 * truth or results, and for every tenth seed more than 100 results of one image and label.
 */
export function seededSet(seed: number): { readonly truth: CocoTruthFile; readonly results: readonly CocoResult[] } {
  const next = seededNumbers(seed);
  const below = (bound: number): number => next() % bound;
  const imageCount = 1 + below(6);
  const labelCount = 1 + below(4);
  const firstImage = below(3);
  const firstLabel = below(2);
  const imageId = (at: number): number => firstImage + ((at * 5) % 7);
  const labelId = (at: number): number => firstLabel + ((at * 3) % 5);
  const annotations: CocoAnnotation[] = [];
  const results: CocoResult[] = [];
  const truthCount = below(24);
  for (let at = 0; at < truthCount; at++) {
    const bbox = [below(60), below(60), 8 + below(100), 8 + below(100)] as const;
    const areaKind = below(8);
    annotations.push({
      id: at,
      image_id: imageId(below(imageCount)),
      category_id: labelId(below(labelCount)),
      bbox,
      area: areaKind === 0 ? 1024 : areaKind === 1 ? 9216 : areaKind === 2 ? below(12000) / 2 : bbox[2] * bbox[3],
      iscrowd: below(9) === 0 ? 1 : 0,
      ...(below(7) === 0 && { ignore: 1 as const }),
    });
  }
  const steps = [4, 10, 1000][below(3)]!;
  const resultCount = below(50) + (seed % 10 === 0 ? 150 : 0);
  for (let at = 0; at < resultCount; at++) {
    const near = annotations.length > 0 && below(10) < 7 ? annotations[below(annotations.length)]! : null;
    const shift = (): number => (below(17) - 8) / 2;
    const bbox: [number, number, number, number] = near
      ? [near.bbox[0] + shift(), near.bbox[1] + shift(), near.bbox[2] + shift(), near.bbox[3] + shift()]
      : [below(80), below(80), 4 + below(120), 4 + below(120)];
    const isCrowded = seed % 10 === 0 && at >= 20;
    results.push({
      image_id: isCrowded ? imageId(0) : near && below(8) > 0 ? near.image_id : imageId(below(imageCount)),
      category_id: isCrowded ? labelId(0) : near && below(6) > 0 ? near.category_id : labelId(below(labelCount)),
      bbox,
      score: below(steps + 1) / steps,
    });
  }
  return {
    truth: {
      images: Array.from({ length: imageCount }, (_, at) => ({ id: imageId(at), width: 200, height: 200 })),
      categories: Array.from({ length: labelCount }, (_, at) => ({ id: labelId(at), name: `label ${labelId(at)}` })),
      annotations,
    },
    results,
  };
}
