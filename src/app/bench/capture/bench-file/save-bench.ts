import { gatherFrames } from '../../../../evidence/capture/bench-file/gather-frames.ts';
import type { SavedBench, SavedFrame, SavedModel } from '../../../../evidence/capture/bench-file/saved-bench.ts';
import { errorMessage } from '../../../../machine/vision/face/errors.ts';
import type { RawResults } from '../../../../machine/vision/face/results.ts';
import type { CaptureParcel } from '../../../../evidence/capture/capture.ts';
import type { CaptureBench } from '../capture-bench.ts';
import type { BenchCaptures } from '../bench-captures.svelte.ts';

export interface SaveChoice {
  /** capture ids; null: the frame on the stage */
  readonly captureIds: readonly string[] | null;
  /** false: the file contains only the models' hashes */
  readonly withModels: boolean;
}

/**
 * The present bench, with frames and their results now. Captures that no longer exist are left out.
 * @throws Error
 */
export async function saveBench(
  bench: CaptureBench,
  captures: BenchCaptures,
  { captureIds, withModels }: SaveChoice,
  onProgress: (doneFrames: number) => void,
): Promise<SavedBench> {
  const { config, models, session, serviceName } = bench;
  const { host } = captures;
  if (config.broken)
    throw new Error(
      'The configuration cannot be read, and a saved bench would contain the previous one. Fix it first.',
    );
  if (!config.tunesColor && !models.of(serviceName) && !models.loading) await models.loadFirst(serviceName);
  await session.applyPlan(bench.plan);
  let done = 0;
  const runAside = async (image: Blob): Promise<RawResults | null> => {
    const outcome = await runOnBench(bench, image, 'frame');
    onProgress(++done);
    return 'failure' in outcome ? null : outcome;
  };
  let frames: SavedFrame[];
  if (captureIds) frames = await gatherFrames(captureIds, host.captures, runAside);
  else {
    const parcel = session.current && (await captures.parcelOf(session.current));
    if (!parcel) throw new Error('Newer frames have replaced the one on the stage. Pause, then save.');
    frames = await gatherFrames([parcel.capture.id], storeOf(parcel), runAside);
  }
  return {
    savedAtMs: host.nowMs(),
    environment: { version: host.version, host: host.browserName, backend: models.of(serviceName)?.backend ?? null },
    configText: config.parsed.document.text,
    serviceName: config.visionName,
    cameraName: config.cameraName,
    models: await savedModels(bench, captures, withModels),
    frames,
  };
}

/** Runs an image under the plan in force without showing it. */
export async function runOnBench(
  bench: CaptureBench,
  image: Blob,
  name: string,
): Promise<RawResults | { readonly failure: string }> {
  try {
    const { detections, classifications, problems } = await bench.session.runAside(image, name);
    const [problem] = problems;
    if (!detections && !classifications && problem) return { failure: problem.message };
    return { detections, classifications };
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

async function savedModels(bench: CaptureBench, { host }: BenchCaptures, withModels: boolean): Promise<SavedModel[]> {
  const { config, models, labels: labelFiles } = bench;
  const saved = config.visionNames.map(async (serviceName): Promise<SavedModel[]> => {
    const model = models.of(serviceName);
    if (!model) return [];
    const content = withModels ? await host.readModel(models.sourceOf(model.modelId), model.sha256) : null;
    const bytes = content && new Uint8Array(await content.arrayBuffer());
    const labels = labelFiles.byService[serviceName] ?? null;
    return [{ serviceName, fileName: model.fileName, sha256: model.sha256, labels, bytes }];
  });
  return (await Promise.all(saved)).flat();
}

/** A store that contains only this one parcel. */
function storeOf({ capture, content, raw }: CaptureParcel): Parameters<typeof gatherFrames>[1] {
  return { get: async () => capture, content: async () => content, raw: async () => raw };
}
