import type { FrameSize } from '../../../src/machine/vision/face/frames.ts';

/** Frames between two comparisons with the CPU: a driver may begin to compute wrongly at any time. */
const framesBetween = 3000;

/** When results of the GPU are compared with the CPU's: for the first frame of a model and of a size, and again every 3,000 frames. */
export class GpuWatch {
  #watched = '';
  #framesLeft = 0;

  /**
   * Counts a frame of a model on the GPU.
   * @param loadNumber tells a model from the same one loaded again
   * @param seen the frame behind the camera's steps: what the model is fed is made of it
   * @returns whether the frame is to be compared
   */
  isDue(loadNumber: number, source: FrameSize, seen: FrameSize): boolean {
    const watched = [loadNumber, source.widthPx, source.heightPx, seen.widthPx, seen.heightPx].join();
    if (watched !== this.#watched) this.#framesLeft = 0;
    this.#watched = watched;
    const isDue = this.#framesLeft === 0;
    this.#framesLeft = isDue ? framesBetween - 1 : this.#framesLeft - 1;
    return isDue;
  }
}
