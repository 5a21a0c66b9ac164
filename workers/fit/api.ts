import { zipSync } from 'fflate';
import {
  decodingAlone,
  type DecodingAlone,
  feedingTrial,
  fitFormat,
  fitModel,
  type FittedFile,
  fittedFileNames,
  fittedFiles,
  judgeFitted,
  type ModelRecognition,
  otherChoices,
  recogniseModel,
} from '../../src/models/fit/face/fitting.ts';
import { readModelSource, type ModelSourceAccess } from '../vision/engine/read-model-source.ts';
import type { FitProgress, FitReport, FitSource, FitWish, TrialModel } from './protocol.ts';

export type FitApi = ReturnType<typeof createFitApi>;

type Told = (progress: FitProgress) => void;

/** "yolo.fitted" for "yolo.onnx"; "yolo.padded" for a "yolo.fitted.onnx" that gets a border. */
function stemOf(fileName: string, family: string | null): string {
  const stem = fileName.replace(/\.[^.]*$/, '') || 'model';
  return family === 'fitted' ? `${stem.replace(/\.fitted$/, '')}.padded` : `${stem}.fitted`;
}

/**
 * The operations of the fit worker. It keeps the bytes of the last model and the last result until the page ends
 * the worker. Its work cannot be interrupted, so the page cancels by ending the worker.
 */
export function createFitApi(access: Omit<ModelSourceAccess, 'documentBase'>) {
  let held: { readonly modelId: string; readonly bytes: Promise<Uint8Array<ArrayBuffer>> } | null = null;
  let files: readonly FittedFile[] = [];

  async function bytesOf({ modelId, source }: FitSource, documentBase: string, tell: Told) {
    if (held?.modelId !== modelId) {
      files = [];
      const reading = readModelSource(
        source,
        { ...access, documentBase },
        ({ fraction }) => tell({ phase: 'reading', fraction }),
        new AbortController().signal,
      );
      held = { modelId, bytes: reading.then(({ bytes }) => bytes) };
      reading.catch(() => (held = null));
    }
    return held.bytes;
  }

  return {
    /** @throws ModelSourceError, ModelError */
    async recognise(model: FitSource, documentBase: string): Promise<ModelRecognition> {
      return recogniseModel(await bytesOf(model, documentBase, () => undefined));
    },
    /**
     * Writes the fitted model and keeps its files for `fittedModel` and `archive`.
     * @throws FitError, ModelError, ModelSourceError
     */
    async fit(model: FitSource, wish: FitWish, documentBase: string, tell: Told): Promise<FitReport> {
      const bytes = await bytesOf(model, documentBase, tell);
      tell({ phase: 'fitting', fraction: null });
      const names = fittedFileNames(stemOf(model.fileName, wish.family ?? null), fitFormat(bytes));
      const asked = { sourceSha256: model.modelId, modelFile: names.model, labelFile: names.labels };
      const fitted = fitModel(bytes, { ...wish, ...asked });
      tell({ phase: 'judging', fraction: null });
      const findings = judgeFitted(fitted);
      files = fittedFiles(fitted, names);
      const { model: written, ...report } = fitted;
      return { ...report, byteLength: written.length, names, findings, otherChoices: otherChoices(fitted) };
    },
    /**
     * The same decoding as a model of its own; null for a classifier.
     * @throws as fit
     */
    async decoding(model: FitSource, wish: FitWish, documentBase: string): Promise<DecodingAlone | null> {
      return decodingAlone(await bytesOf(model, documentBase, () => undefined), wish);
    },
    /**
     * The model with none of its feeding in the graph, for labelled pictures.
     * @throws as fit
     */
    async feedingTrial(source: FitSource, wish: FitWish, documentBase: string): Promise<TrialModel> {
      const trial = feedingTrial(await bytesOf(source, documentBase, () => undefined), wish);
      return { ...trial, model: new Blob([trial.model]) };
    },
    /** The model that `fit` wrote last. */
    async fittedModel(): Promise<Blob> {
      return new Blob([files[0]!.bytes]);
    },
    /** All files of the last result as one zip, stored uncompressed: weights hardly compress. */
    async archive(): Promise<Blob> {
      const entries = files.map(({ name, bytes }) => [name, bytes] as const);
      return new Blob([zipSync(Object.fromEntries(entries), { level: 0 })], { type: 'application/zip' });
    },
  };
}
