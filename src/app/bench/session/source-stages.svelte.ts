import type { StageInfo } from '../../../../workers/vision/protocol.ts';

/** The stages of the source's frames, with their latest thumbnails, which it closes. */
export class SourceStages {
  stages = $state.raw<readonly StageInfo[]>([]);
  #isBehind = false;

  /** The last frame had no thumbnails, though one before it had. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /**
   * Takes the stages of a frame. In a stream only some frames have thumbnails: the others leave the shown ones
   * unchanged.
   */
  take(stages: readonly StageInfo[], isOfStream: boolean): void {
    const hasPictures = isPictured(stages);
    this.#isBehind = !hasPictures && (this.#isBehind || isPictured(this.stages));
    if (!isOfStream || hasPictures || !isSameWay(stages, this.stages)) this.#go(stages);
  }

  /** Marks the missing thumbnails as requested, so that they are requested only once. */
  catchUp(): void {
    this.#isBehind = false;
  }

  /** The next frames are from another source. */
  leave(): void {
    this.#isBehind = false;
    this.#go([]);
  }

  #go(stages: readonly StageInfo[]): void {
    for (const { thumbnail } of this.stages) thumbnail?.close();
    this.stages = stages;
  }
}

const isPictured = (stages: readonly StageInfo[]): boolean => stages.some(({ thumbnail }) => thumbnail);

function isSameWay(stages: readonly StageInfo[], others: readonly StageInfo[]): boolean {
  const isSame = (stage: StageInfo, other: StageInfo | undefined): boolean =>
    stage.step === other?.step &&
    stage.type === other.type &&
    stage.widthPx === other.widthPx &&
    stage.heightPx === other.heightPx;
  return stages.length === others.length && stages.every((stage, at) => isSame(stage, others[at]));
}
