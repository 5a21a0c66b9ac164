import type { DatasetBox } from './dataset-item.ts';

// The data service's boxes have no field for an area or a crowd: tags of the picture store them. Areas are found again by the
// corners of their box, in millionths, so that a box that was moved since has its own area.
const areaPrefix = 'sightglass:area:';
const crowdPrefix = 'sightglass:crowd:';
const areaShape = /^sightglass:area:([\d.e+-]+):([\d,]+)$/u;
const crowdShape = /^sightglass:crowd:([\d.e+-]+),([\d.e+-]+),([\d.e+-]+),([\d.e+-]+):([\d.e+-]*):(.+)$/su;

/** The data service bounds the tags of a file; people's own need room, too. */
export const mostTruthTags = 800;
/** A tag has 200 characters, of which numbers may take two thirds. */
export const longestCrowdLabel = 60;

/** The part of a picture's truth that is kept in its tags. */
export interface TaggedTruth {
  readonly boxes: readonly DatasetBox[];
  readonly crowds?: readonly DatasetBox[];
}

/** The tags that store the areas of boxes, and crowds, of a stored picture. */
export function truthTags({ boxes, crowds = [] }: TaggedTruth): readonly string[] {
  const ofCrowds = crowds.map((crowd) => `${crowdPrefix}${cornersOf(crowd).join(',')}:${crowd.areaPx ?? ''}:${crowd.label}`); // prettier-ignore
  const ofAreas = boxes.flatMap((box) =>
    box.areaPx === undefined ? [] : [`${areaPrefix}${box.areaPx}:${placeOf(box)}`],
  );
  return [...new Set([...ofCrowds, ...ofAreas])].slice(0, mostTruthTags);
}

/** Whether a tag stores an area or a crowd, so it was not set by a person. */
export const isTruthTag = (tag: string): boolean => areaShape.test(tag) || crowdShape.test(tag);

export const isCrowdTag = (tag: string): boolean => crowdShape.test(tag);

/** Boxes of a stored picture with the areas, and the crowds, that its tags store. */
export function withTruthTags<Box extends DatasetBox>(
  boxes: readonly Box[],
  tags: readonly string[],
): { readonly boxes: readonly Box[]; readonly crowds?: readonly DatasetBox[] } {
  const areas = new Map<string, number>();
  const crowds: DatasetBox[] = [];
  for (const tag of tags) {
    const [, area, place] = areaShape.exec(tag) ?? [];
    if (place !== undefined && !areas.has(place)) areas.set(place, Number(area));
    const [, left, top, right, bottom, ofCrowd, label] = crowdShape.exec(tag) ?? [];
    if (label === undefined) continue;
    crowds.push({
      label,
      xMinNormalized: Number(left),
      yMinNormalized: Number(top),
      xMaxNormalized: Number(right),
      yMaxNormalized: Number(bottom),
      ...(ofCrowd !== '' && { areaPx: Number(ofCrowd) }),
    });
  }
  const measured = boxes.map((box) => {
    const areaPx = areas.size > 0 ? areas.get(placeOf(box)) : undefined;
    return areaPx === undefined ? box : { ...box, areaPx };
  });
  return { boxes: measured, ...(crowds.length > 0 && { crowds }) };
}

const cornersOf = (box: DatasetBox): readonly number[] => [
  box.xMinNormalized,
  box.yMinNormalized,
  box.xMaxNormalized,
  box.yMaxNormalized,
];

const placeOf = (box: DatasetBox): string =>
  cornersOf(box)
    .map((corner) => Math.round(corner * 1e6))
    .join(',');
