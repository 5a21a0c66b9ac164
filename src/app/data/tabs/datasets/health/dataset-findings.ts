import {
  binOf,
  type DatasetHealth,
  faultOf,
  HealthCheck,
  type PictureScan,
} from '../../../../../evidence/datasets/face/health.ts';
import type { DatasetBox, SizePx } from '../../../../../evidence/datasets/face/items.ts';
import { uprightBox } from '../../../../../evidence/datasets/face/image-size.ts';
import type { StoredPicture } from '../../../annotate/saving/stored-pictures.ts';

/** The pictures of a dataset, with the results of their scans so far. */
export interface KnownPictures {
  readonly pictures: readonly StoredPicture[];
  readonly scans: ReadonlyMap<string, PictureScan>;
  /** groups of ids of near duplicates */
  readonly nearDuplicates: readonly (readonly string[])[];
}

interface Measured {
  readonly boxes: readonly DatasetBox[];
  readonly sizePx: SizePx | null;
}

/** Boxes and size as the picture is shown; without a scan the size is unknown. */
function measured({ contentId, boxes }: StoredPicture, scans: KnownPictures['scans']): Measured {
  const scan = scans.get(contentId);
  if (!scan) return { boxes, sizePx: null };
  return { boxes: boxes.map((box) => uprightBox(box, scan.orientation)), sizePx: scan.sizePx };
}

export function healthOf({ pictures, scans }: KnownPictures): DatasetHealth {
  const check = new HealthCheck();
  for (const picture of pictures) check.add({ ...picture, ...measured(picture, scans), split: null });
  return check.report();
}

/**
 * A finding as part of the address; each names some pictures. "side:3" and "per-image:0" are bins of a histogram,
 * "alike:2" is a group.
 */
export type DatasetFinding =
  | 'without-boxes'
  | 'unlabelled'
  | 'undecodable'
  | 'fault:outside'
  | 'fault:degenerate'
  | 'fault:tiny'
  | `label:${string}`
  | `image-label:${string}`
  | `side:${number}`
  | `per-image:${number}`
  | `alike:${number}`
  | 'alike';

/** The pictures of a finding, in order of capture; empty if the address names no finding. */
export function picturesOf(finding: string, known: KnownPictures, health: DatasetHealth): readonly string[] {
  const [kind = '', ...rest] = finding.split(':');
  const which = rest.join(':');
  const where = (is: (picture: StoredPicture) => boolean): readonly string[] =>
    known.pictures.filter(is).map(({ contentId }) => contentId);
  switch (kind) {
    case 'without-boxes':
      return health.withoutBoxes;
    case 'unlabelled':
      return health.unlabelled;
    case 'undecodable':
      return where(({ contentId }) => known.scans.get(contentId)?.hash === null);
    case 'label':
      return where(({ boxes }) => boxes.some(({ label }) => label === which));
    case 'image-label':
      return where(({ tags, classifications }) =>
        [...tags, ...classifications.map(({ label }) => label)].includes(which),
      );
    case 'fault':
      return [...new Set(health.boxFaults.filter(({ fault }) => fault === which).map(({ contentId }) => contentId))];
    case 'side':
      return where((picture) =>
        boxSides(measured(picture, known.scans)).some((side) => binOf(health.boxSides.borders, side) === Number(which)),
      );
    case 'per-image':
      return where(({ boxes }) => binOf(health.boxesPerImage.borders, boxes.length) === Number(which));
    case 'alike':
      return which === '' ? known.nearDuplicates.flat() : (known.nearDuplicates[Number(which)] ?? []);
    default:
      return [];
  }
}

/** The sides of squares of the boxes' areas, as fractions of the picture's side. */
function boxSides({ boxes, sizePx }: Measured): readonly number[] {
  return boxes
    .filter((box) => faultOf(box, sizePx) !== 'degenerate')
    .map((box) => Math.sqrt((box.xMaxNormalized - box.xMinNormalized) * (box.yMaxNormalized - box.yMinNormalized)));
}

const faultNames: Readonly<Record<string, string>> = {
  outside: 'Boxes that leave the image',
  degenerate: 'Boxes without an area',
  tiny: 'Boxes thinner than a pixel',
};

/** The title of a finding. */
export function findingTitle(finding: string, health: DatasetHealth): string {
  const [kind = '', ...rest] = finding.split(':');
  const which = rest.join(':');
  switch (kind) {
    case 'without-boxes':
      return 'Images without boxes';
    case 'unlabelled':
      return 'Images with neither boxes nor tags';
    case 'undecodable':
      return 'Images that this browser cannot decode';
    case 'label':
      return `Images with ${which}`;
    case 'image-label':
      return `Images labelled ${which}`;
    case 'fault':
      return faultNames[which] ?? 'Boxes';
    case 'side':
      return `Images with boxes of ${sideText(health.boxSides.borders, Number(which))} of the side`;
    case 'per-image':
      return `Images with ${countText(health.boxesPerImage.borders, Number(which))} boxes`;
    case 'alike':
      return which === '' ? 'Near duplicates' : `Near duplicates, group ${Number(which) + 1}`;
    default:
      return 'Images';
  }
}

/** "6–13 %": a bin of fractions. */
export function sideText(borders: readonly number[], bin: number): string {
  const percent = (part: number): string => String(Math.round(1000 * part) / 10);
  return `${percent(borders[bin] ?? 0)}–${percent(borders[bin + 1] ?? 1)} %`;
}

/** "0", "3–4", "≥ 100": a bin of whole numbers. */
export function countText(borders: readonly number[], bin: number): string {
  const [first = 0, after = Infinity] = [borders[bin], borders[bin + 1]];
  if (after === Infinity) return `≥ ${first}`;
  return after - 1 === first ? String(first) : `${first}–${after - 1}`;
}
