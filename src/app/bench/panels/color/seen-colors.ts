import type { ColorRule } from '../../../../machine/vision/face/colors.ts';
import { colorBins, type PassingColors } from '../../../../machine/vision/face/color-search.ts';

/** A turn of hue from the chosen one on: half of it either way, so that 1 is a tolerance of everything. */
const hueBins = 60;
const areaBins = 60;

/** The counts over frames, each frame once, as long as all are counted in the same way. */
class Counted {
  readonly #frames = new Set<string>();
  #way = '';

  get frameCount(): number {
    return this.#frames.size;
  }

  /** Calls `clear` where the way is another, and `add` where the frame is new. */
  count(frame: string, way: string, clear: () => void, add: () => void): void {
    if (way !== this.#way) {
      this.#frames.clear();
      clear();
    }
    this.#way = way;
    if (this.#frames.has(frame)) return;
    this.#frames.add(frame);
    add();
  }
}

/** The colours of the frames that were seen. */
export class SeenColors {
  readonly #all = new Counted();
  readonly #ofHues = new Counted();
  readonly #ofAreas = new Counted();
  #hue = new Uint32Array(360);
  #areas: number[] = [];
  readonly saturation = new Uint32Array(colorBins);
  readonly value = new Uint32Array(colorBins);

  get frameCount(): number {
    return this.#all.frameCount;
  }

  /**
   * Adds a frame, unless it is there already. Where the cut-offs change, pixels that have a hue are others, and with the hues
   * that pass the groups: those are counted anew.
   * @param frame what tells it from others
   */
  add(frame: string, rule: ColorRule, { hue, saturation, value, areas }: PassingColors): void {
    const { saturationCutoff, valueCutoff, hueDeg, tolerance } = rule;
    const cutoffs = JSON.stringify([saturationCutoff, valueCutoff]);
    this.#all.count(
      frame,
      '',
      () => {},
      () => {
        addTo(this.saturation, saturation);
        addTo(this.value, value);
      },
    );
    this.#ofHues.count(
      frame,
      cutoffs,
      () => this.#hue.fill(0),
      () => addTo(this.#hue, hue),
    );
    this.#ofAreas.count(
      frame,
      JSON.stringify([cutoffs, hueDeg, tolerance]),
      () => (this.#areas = []),
      () => this.#areas.push(...areas.slice(0, mostAreas)),
    );
  }

  /** Pixels by the tolerance from which they pass, 0..1. */
  hueFrom(hueDeg: number): Uint32Array {
    const bins = new Uint32Array(hueBins);
    this.#hue.forEach((count, degrees) => {
      const apart = Math.abs(((((degrees + 0.5 - hueDeg + 180) % 360) + 360) % 360) - 180);
      bins[Math.min(hueBins - 1, Math.floor((apart / 180) * hueBins))]! += count;
    });
    return bins;
  }

  /** Groups by the share of the area scale at which their boxes lie. */
  areas(framePx: number): Uint32Array {
    const bins = new Uint32Array(areaBins);
    for (const area of this.#areas) {
      const share = shareOfArea(area, framePx);
      bins[Math.min(areaBins - 1, Math.floor(share * areaBins))]!++;
    }
    return bins;
  }
}

function addTo(sum: Uint32Array, counts: Uint32Array): void {
  counts.forEach((count, at) => (sum[at]! += count));
}

/** A frame of noise has hundreds of thousands of groups. */
const mostAreas = 2000;

/** Where an area stands on a logarithmic scale from 1 px² (0) to the whole frame (1). */
export function shareOfArea(areaPx: number, framePx: number): number {
  return Math.min(1, Math.max(0, Math.log(Math.max(1, areaPx)) / Math.log(Math.max(2, framePx))));
}

/** The area at a place of that scale, in px²: two digits are enough. */
export function areaOfShare(share: number, framePx: number): number {
  const area = Math.exp(share * Math.log(Math.max(2, framePx)));
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(area)) - 1);
  return Math.max(1, Math.round(area / unit) * unit);
}
