import type { StatedFeeding } from '../../machine/vision/face/inference.ts';
import type { Preprocessing } from './structure/family.ts';
import { FitError } from './structure/fit-error.ts';
import { openFitSource } from './open-fit-source.ts';
import { feedingOf } from './prepare-fit.ts';
import type { InputSize } from './structure/input-size.ts';
import { recogniseFamily } from './registry.ts';

/** What a model is taken for, without writing anything. Survives structured cloning. */
export type ModelRecognition =
  | {
      readonly kind: 'family';
      readonly id: string;
      /** "YOLOv8, YOLO11, YOLO12" */
      readonly name: string;
      readonly result: 'detections' | 'classifications';
      /** why, in plain sentences */
      readonly evidence: readonly string[];
      /** 0 where nothing says it */
      readonly classCount: number;
      /** the model's input; null where it takes any and names none */
      readonly size: InputSize | null;
      /** the usual feeding of such models */
      readonly feeding: StatedFeeding;
    }
  /** the machine takes it as it is */
  | { readonly kind: 'fits' }
  /** neither a detector nor a classifier, or one that its quantisation has broken: what it is, what says so, and what can be done with it */
  | { readonly kind: 'other'; readonly seen: string }
  /** no family: what was seen, and why not the nearest ones */
  | { readonly kind: 'unknown'; readonly seen: string };

/**
 * Recognises the family of a model, as `fitModel` does.
 * @param bytes an ONNX or TensorFlow Lite file
 * @returns the family with evidence and options, or why there is none
 * @throws ModelError not-onnx, not-tflite
 * @example
 * recogniseModel(Uint8Array.of(1, 2, 3)); // throws: Error
 */
export function recogniseModel(bytes: Uint8Array): ModelRecognition {
  try {
    const source = openFitSource(bytes, {});
    source.refuseWhatFits();
    const { structure } = source;
    const [{ family, recognition }] = recogniseFamily(structure, null);
    const { evidence, classCount, widthPx, heightPx } = recognition;
    return {
      kind: 'family',
      id: family.id,
      name: family.name,
      result: family.kind,
      evidence: structure.normalization ? [...evidence, structure.normalization.why] : evidence,
      classCount,
      size: widthPx > 0 && heightPx > 0 ? { widthPx, heightPx } : null,
      feeding: usualFeeding(family.name, feedingOf(recognition, structure), recognition.feedingGuess ?? null),
    };
  } catch (error) {
    if (!(error instanceof FitError)) throw error;
    if (error.code === 'already-fits') return { kind: 'fits' };
    const isTold = error.code === 'other-kind' || error.code === 'lost-in-steps';
    return { kind: isTold ? 'other' : 'unknown', seen: error.message };
  }
}

/** What models of a family are usually fed, as evidence of what one of them wants. */
function usualFeeding(
  familyName: string,
  { colour, mean, stdDev, letterbox }: Preprocessing,
  guess: string | null,
): StatedFeeding {
  const range = { meanValue: mean, stdDev };
  return { source: 'family', guess, familyName, bgr: colour === 'bgr', range, letterbox };
}
