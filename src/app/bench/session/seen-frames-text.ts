import type { SeenFrame } from './seen-frame.ts';

/** A frame with its identity: id, source and scores. */
export type NamedFrame = readonly [id: string, source: string, seen: SeenFrame];

interface Written {
  readonly id: string;
  readonly source: string;
  /** index into the list of label tables, and the columns in base64 */
  readonly detections: readonly [labels: number, labelIndex: string, score: string] | null;
  readonly classifications: readonly [labels: number, score: string] | null;
}

/** Frames as text of at most `mostCharacters`; if that is too little, the newest of them. Scores keep every bit. */
export function writeFrames(frames: readonly NamedFrame[], mostCharacters: number): string {
  const lists: (readonly string[])[] = [];
  let characters = 0;
  const placeOf = (labels: readonly string[]): number => {
    const at = lists.indexOf(labels);
    if (at >= 0) return at;
    characters += JSON.stringify(labels).length;
    return lists.push(labels) - 1;
  };
  const written: Written[] = [];
  for (const [id, source, { detections, classifications }] of frames.toReversed()) {
    const frame: Written = {
      id,
      source,
      detections: detections && [
        placeOf(detections.labels),
        toText(detections.labelIndex.subarray(0, detections.count)),
        toText(detections.score.subarray(0, detections.count)),
      ],
      classifications: classifications && [placeOf(classifications.labels), toText(classifications.score)],
    };
    characters += JSON.stringify(frame).length;
    if (characters > mostCharacters) break;
    written.push(frame);
  }
  return JSON.stringify({ lists, frames: written.toReversed() });
}

/** Reads the text of `writeFrames`; [] for any other text. */
export function readFrames(text: string): readonly NamedFrame[] {
  try {
    const { lists, frames } = JSON.parse(text) as { lists: string[][]; frames: Written[] };
    return frames.map(({ id, source, detections, classifications }) => {
      const seen: SeenFrame = {
        detections: detections && columnsOf(lists[detections[0]]!, detections[1], detections[2]),
        classifications: classifications && { labels: lists[classifications[0]]!, score: toScores(classifications[1]) },
      };
      return [id, source, seen];
    });
  } catch {
    return [];
  }
}

function columnsOf(labels: readonly string[], labelIndex: string, scores: string): SeenFrame['detections'] {
  const score = toScores(scores);
  return { count: score.length, labels, labelIndex: new Uint32Array(toBytes(labelIndex).buffer), score };
}

const toScores = (text: string): Float64Array<ArrayBuffer> => new Float64Array(toBytes(text).buffer);

function toText({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  let binary = '';
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
