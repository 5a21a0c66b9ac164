import type { TensorInfo } from '../../../machine/vision/face/feeding.ts';
import type { ModelStructure, Picture } from '../structure/model-structure.ts';
import { has, longSides, named, tensorsOnly, type OtherKind } from './other-kind.ts';

/** An output with a number, or several, for each place of the picture. */
export interface PictureMap {
  readonly tensor: TensorInfo;
  readonly channels: number;
  readonly heightPx: number;
  readonly widthPx: number;
}

/** The outputs that are maps of the picture: of the whole of it, or of a part that is the same on both axes. */
export function mapsOf({ picture, outputs }: ModelStructure): readonly PictureMap[] {
  return picture ? outputs.flatMap((tensor) => mapOf(picture, tensor) ?? []) : [];
}

function mapOf(picture: Picture, tensor: TensorInfo): PictureMap | null {
  const { shape } = tensor;
  const [, a = 0, b = 0, c = 1] = shape;
  // Some exports leave out the batch of one.
  if (shape.length === 2) return mapOf(picture, { ...tensor, shape: [1, ...shape] });
  if (shape.length !== 3 && shape.length !== 4) return null;
  const candidates =
    shape.length === 3
      ? [{ tensor, channels: 1, heightPx: a, widthPx: b }]
      : [
          { tensor, channels: c, heightPx: a, widthPx: b },
          { tensor, channels: a, heightPx: b, widthPx: c },
        ];
  return candidates.find((map) => isOfPicture(picture, map)) ?? null;
}

/** Both sides are the same share of the picture's, and several cells long; both open sides are those of an open picture. */
function isOfPicture(picture: Picture, { channels, heightPx, widthPx }: PictureMap): boolean {
  if (picture.heightPx < 1 || picture.widthPx < 1) return heightPx === -1 && widthPx === -1 && channels > 0;
  const share = heightPx / picture.heightPx;
  return heightPx > 4 && widthPx > 4 && share <= 1.01 && Math.abs(widthPx - share * picture.widthPx) <= 1;
}

/** Half the picture's sides at least: grids of detectors are coarser. */
function isFine(picture: Picture, { heightPx, widthPx }: PictureMap): boolean {
  return heightPx === -1 || (2 * heightPx + 2 >= picture.heightPx && 2 * widthPx + 2 >= picture.widthPx);
}

/** The only thing that a model says is one fine map. */
function onlyMap(model: ModelStructure): PictureMap | null {
  const [map, ...others] = mapsOf(model);
  if (!map || others.length > 0 || model.outputs.length > 1) return null;
  return isFine(model.picture!, map) ? map : null;
}

export const anomaly: OtherKind = {
  id: 'anomaly',
  is: 'looks for anomalies (PatchCore, PaDiM, EfficientAD)',
  machine: tensorsOnly,
  seen(model) {
    const fine = mapsOf(model).filter((map) => map.channels === 1 && isFine(model.picture!, map));
    const scores = model.outputs.filter(
      ({ shape }) => shape.length > 0 && shape.length <= 2 && longSides([1, ...shape]).length === 0,
    );
    if (fine.length === 0 || scores.length === 0 || fine.length + scores.length < model.outputs.length) return null;
    return `Beside the map ${named(fine[0]!.tensor)} it has one number "${scores[0]!.name}" for the whole picture.`;
  },
};

export const pictures: OtherKind = {
  id: 'picture',
  is: 'makes a picture of a picture (style, colours, resolution)',
  machine: tensorsOnly,
  seen(model) {
    const map = onlyMap(model);
    const isEndless = map !== null && !has(model.headOf(map.tensor.name), 'Softmax');
    if (!map || map.channels !== 3 || !isEndless || model.labels !== null) return null;
    return `Its only output ${named(map.tensor)} has three numbers for each place, as a picture has.`;
  },
};

export const segmentation: OtherKind = {
  id: 'segmentation',
  is: 'segments the picture: it says a class for every place',
  machine: `${tensorsOnly} Boxes come of an instance segmentation, as YOLOv8-seg.`,
  seen(model) {
    const maps = mapsOf(model).filter((map) => isFine(model.picture!, map));
    const others = model.outputs.length - maps.length;
    const [first] = maps;
    if (!first || others > 0) return null;
    if (first.tensor.dtype.startsWith('int') && first.channels === 1)
      return `Its output ${named(first.tensor)} has the number of a class for every place.`;
    return first.channels > 1
      ? `Its output ${named(first.tensor)} has ${first.channels} scores for every place.`
      : null;
  },
};

export const mask: OtherKind = {
  id: 'mask',
  is: 'says a mask, one number from 0 to 1 for every place: a segment, what stands out, or where text is (PaddleOCR)',
  machine: tensorsOnly,
  seen(model) {
    const maps = mapsOf(model).filter((map) => isFine(model.picture!, map));
    const [first] = maps;
    if (first?.channels !== 1 || maps.length < model.outputs.length) return null;
    return has(model.headOf(first.tensor.name), 'Sigmoid')
      ? `A sigmoid makes its output ${named(first.tensor)}.`
      : null;
  },
};

export const depth: OtherKind = {
  id: 'depth',
  is: 'says one number for every place of the picture, as networks for depth do',
  machine: tensorsOnly,
  seen(model) {
    const map = onlyMap(model);
    return map?.channels === 1 ? `Its only output is ${named(map.tensor)}.` : null;
  },
};
