import * as ort from 'onnxruntime-web';
import { anchorLayers, inputSizePx, overlapThreshold, scoreFloor } from './blazeface-graph.ts';
import type { PackedPicture } from './read-photograph.ts';

export interface Face {
  readonly score: number;
  /** ymin, xmin, ymax, xmax, proportional to the picture */
  readonly box: readonly number[];
}

/** Faces by the raw model, with letterbox, decoding and suppression in plain TypeScript: what the built graph is held to. */
export async function findFacesPlainly(rawSession: ort.InferenceSession, picture: PackedPicture): Promise<Face[]> {
  const scale = inputSizePx / Math.max(picture.widthPx, picture.heightPx);
  const fit = { widthPx: Math.round(picture.widthPx * scale), heightPx: Math.round(picture.heightPx * scale) };
  const left = Math.floor((inputSizePx - fit.widthPx) / 2);
  const top = Math.floor((inputSizePx - fit.heightPx) / 2);
  const square = new Float32Array(inputSizePx * inputSizePx * 3).fill(-1);
  for (let y = 0; y < fit.heightPx; y += 1) {
    for (let x = 0; x < fit.widthPx; x += 1) {
      const sourceX = ((x + 0.5) * picture.widthPx) / fit.widthPx - 0.5;
      const sourceY = ((y + 0.5) * picture.heightPx) / fit.heightPx - 0.5;
      for (let channel = 0; channel < 3; channel += 1) {
        square[((top + y) * inputSizePx + left + x) * 3 + channel] = sample(picture, sourceX, sourceY, channel);
      }
    }
  }
  const input = new ort.Tensor('float32', square, [1, inputSizePx, inputSizePx, 3]);
  const outputs = await rawSession.run({ 'input:0': input });
  const data = (name: string) => outputs[name]!.data as Float32Array;
  const candidates = [
    ...decodeLayer(data('Identity:0'), data('Identity_2:0'), anchorLayers[0]),
    ...decodeLayer(data('Identity_1:0'), data('Identity_3:0'), anchorLayers[1]),
  ];
  const toPicture = (value: number, offset: number, size: number) =>
    Math.min(1, Math.max(0, (value * inputSizePx - offset) / size));
  return suppress(candidates).map(({ score, box }) => ({
    score,
    box: box.map((value, i) =>
      i % 2 === 0 ? toPicture(value, top, fit.heightPx) : toPicture(value, left, fit.widthPx),
    ),
  }));
}

function sample({ values, widthPx, heightPx }: PackedPicture, x: number, y: number, channel: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const plane = channel * widthPx * heightPx;
  const at = (column: number, row: number) =>
    values[plane + Math.min(heightPx - 1, Math.max(0, row)) * widthPx + Math.min(widthPx - 1, Math.max(0, column))]!;
  const upper = at(x0, y0) + (at(x0 + 1, y0) - at(x0, y0)) * (x - x0);
  const lower = at(x0, y0 + 1) + (at(x0 + 1, y0 + 1) - at(x0, y0 + 1)) * (x - x0);
  return upper + (lower - upper) * (y - y0);
}

function decodeLayer(
  logits: Float32Array,
  numbers: Float32Array,
  { cells, anchors }: { readonly cells: number; readonly anchors: number },
): Face[] {
  return Array.from(logits, (logit, i) => {
    const cell = Math.floor(i / anchors);
    const [dx, dy, width, height] = Array.from(numbers.subarray(i * 16, i * 16 + 4), (px) => px / inputSizePx) as [
      number,
      number,
      number,
      number,
    ];
    const x = ((cell % cells) + 0.5) / cells + dx;
    const y = (Math.floor(cell / cells) + 0.5) / cells + dy;
    return { score: 1 / (1 + Math.exp(-logit)), box: [y - height / 2, x - width / 2, y + height / 2, x + width / 2] };
  });
}

function suppress(candidates: readonly Face[]): Face[] {
  const kept: Face[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    if (candidate.score <= scoreFloor && kept.length > 0) break;
    if (kept.every(({ box }) => overlap(box, candidate.box) <= overlapThreshold)) kept.push(candidate);
  }
  return kept;
}

function overlap(a: readonly number[], b: readonly number[]): number {
  const area = (box: readonly number[]) => Math.max(0, box[2]! - box[0]!) * Math.max(0, box[3]! - box[1]!);
  const shared = [0, 1].map((k) => Math.max(0, Math.min(a[k + 2]!, b[k + 2]!) - Math.max(a[k]!, b[k]!)));
  const intersection = shared[0]! * shared[1]!;
  return intersection === 0 ? 0 : intersection / (area(a) + area(b) - intersection);
}
