import { transfer } from 'comlink';
import type { FrameInfo } from '../../src/machine/vision/face/frames.ts';
import type { SourceImage } from '../../src/platform/ports/picture-io.ts';
import { buffersOf } from '../inference/tensor-buffers.ts';
import type { StageSearch } from './engine/stage-search.ts';
import type { VisionEngine } from './engine/vision-engine.ts';
import type { BackendDecided, Notice, PictureOrder, ShownFrame } from './protocol.ts';

export type VisionApi = ReturnType<typeof createVisionApi>;

/**
 * The operations of the vision worker: those of its engine, one frame at a time, with pictures transferred to the
 * page.
 */
export function createVisionApi(engine: VisionEngine) {
  return {
    capabilities: engine.capabilities.bind(engine),
    loadModel: engine.loadModel.bind(engine),
    unloadModel: engine.unloadModel.bind(engine),
    storedModels: engine.storedModels.bind(engine),
    modelFile: engine.modelFile.bind(engine),
    forgetModel: engine.forgetModel.bind(engine),
    forgetDecision: engine.forgetDecision.bind(engine),
    setPlan: engine.setPlan.bind(engine),
    run: async (image: SourceImage, info: FrameInfo, frameId: number, order: PictureOrder) =>
      handedOver(await engine.run(image, info, frameId, order)),
    async rerun(frameId: number, order: PictureOrder) {
      const shown = await engine.rerun(frameId, order);
      return shown && handedOver(shown);
    },
    async redraw(order: PictureOrder) {
      const picture = await engine.redraw(order);
      return picture && transfer(picture, [picture]);
    },
    runAside: engine.runAside.bind(engine),
    async findInterpretations(...given: Parameters<StageSearch['findInterpretations']>) {
      const found = await engine.search.findInterpretations(...given);
      return transfer(found, found.picture ? [found.picture] : []);
    },
    async tryDecoding(...given: Parameters<StageSearch['tryDecoding']>) {
      const tried = await engine.search.tryDecoding(...given);
      return tried && transfer(tried, [tried.picture]);
    },
    tryFeedings: engine.search.tryFeedings.bind(engine.search),
    async findCauses(...given: Parameters<StageSearch['findCauses']>) {
      const found = await engine.search.findCauses(...given);
      return transfer(found, found.picture ? [found.picture] : []);
    },
    presentService: engine.search.presentService.bind(engine.search),
    answersOf: engine.search.answersOf.bind(engine.search),
    async modelRunOf(...given: Parameters<StageSearch['modelRunOf']>) {
      const run = await engine.search.modelRunOf(...given);
      return transfer(run, [...buffersOf(run.feeds), ...buffersOf(run.outputs)]);
    },
    async modelFeeds() {
      const feeds = await engine.search.modelFeeds();
      return feeds && transfer(feeds, buffersOf(feeds));
    },
    async compareCamera(...given: Parameters<VisionEngine['compareCamera']>) {
      const compared = await engine.compareCamera(...given);
      const { here, there, difference } = compared;
      return transfer(compared, [here, there, ...(difference ? [difference.picture] : [])]);
    },
    async drawAside(...given: Parameters<VisionEngine['drawAside']>) {
      const picture = await engine.drawAside(...given);
      return transfer(picture, [picture]);
    },
    lookAtColors: engine.search.lookAtColors.bind(engine.search),
    separateBlobs: engine.search.separateBlobs.bind(engine.search),
    checkParity: engine.checkParity.bind(engine),
    currentFrame: engine.currentFrame.bind(engine),
    capture: engine.capture.bind(engine),
    keepUnseen: engine.keepUnseen.bind(engine),
  };
}

/** The worker's first call, for which the others wait. */
export interface StartVision {
  /** `documentBase` is the URL of the app's own files; the listener is a `proxy`, since it outlives the call. */
  start(documentBase: string, onNotice: (notice: Notice | BackendDecided) => void): Promise<void>;
}

function handedOver(shown: ShownFrame): ShownFrame {
  const thumbnails = shown.result.stages.flatMap(({ thumbnail }) => thumbnail ?? []);
  return transfer(shown, [shown.picture, ...thumbnails]);
}
