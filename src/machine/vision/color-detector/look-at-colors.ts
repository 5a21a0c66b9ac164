import type { ColorRule } from './color-rule.ts';
import type { Frame } from '../frame/frame.ts';
import { colorOfPatch, type PatchColor } from './color-of-patch.ts';
import { boxAreaAt, findBlobs } from './find-blobs.ts';
import { degreesOf, machineHsv } from './machine-hsv.ts';
import { machinePixels } from './machine-pixels.ts';
import { markPixels } from './mark-pixels.ts';
import { hueRange, pixelTest } from './pixel-test.ts';

/** The rule and the patch that are looked for on a picture. */
export interface ColorLook {
  /** null: the machine does not build the service, and only the patch is looked at */
  readonly rule: ColorRule | null;
  /** the rectangle whose colour is wanted, in pixels of the picture; null: none */
  readonly patch: { readonly xMin: number; readonly yMin: number; readonly xMax: number; readonly yMax: number } | null;
}

/** What a picture's colours are, and which of them pass. */
export interface ColorView {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly colors: PassingColors | null;
  /** colour of the patch; null: none is wanted, or the patch is grey */
  readonly patch: PatchColor | null;
}

export interface PassingColors {
  /** pixels by hue, a bin a degree, of those that pass both cut-offs */
  readonly hue: Uint32Array;
  /** pixels by saturation and by value, 0..1 in 64 bins */
  readonly saturation: Uint32Array;
  readonly value: Uint32Array;
  /** pixels by what they fail first: `colorVerdict` */
  readonly verdicts: readonly number[];
  /** the areas of the boxes of all groups, in px², those below the least area included */
  readonly areas: readonly number[];
  /** verdict on each pixel of the picture, reduced to at most 640 pixels a side */
  readonly mask: { readonly widthPx: number; readonly heightPx: number; readonly verdicts: Uint8Array };
}

/** The tests that a pixel may fail, in the order in which the machine asks. */
export const colorVerdict = { passes: 0, saturation: 1, value: 2, hue: 3 } as const;

export const colorBins = 64;
const mostMaskPx = 640;

/**
 * Looks at the colours of a picture as a colour detector does.
 * @param frame the picture after the transform steps
 * @param look the rule, and the patch whose colour is wanted
 * @returns counts and a mask of what passes
 * @example
 * import { patternFrame } from '../frame/pattern-frame.ts';
 * lookAtColors(patternFrame('rgba8', 4, 2), { rule: null, patch: null }); // => { widthPx: 4, heightPx: 2, colors: null, patch: null }
 */
export function lookAtColors(frame: Frame, { rule, patch }: ColorLook): ColorView {
  const { widthPx, heightPx } = frame;
  const pixels = machinePixels(frame);
  return {
    widthPx,
    heightPx,
    colors: rule && passingColors(pixels, widthPx, heightPx, rule),
    patch: patch && colorOfPatch(pixels, widthPx, heightPx, patch),
  };
}

function passingColors(pixels: Uint32Array, widthPx: number, heightPx: number, rule: ColorRule): PassingColors {
  const hue = new Uint32Array(360);
  const [saturation, value] = [new Uint32Array(colorBins), new Uint32Array(colorBins)];
  const verdicts = [0, 0, 0, 0];
  const { from, to } = hueRange(rule);
  const shrink = Math.max(1, Math.ceil(Math.max(widthPx, heightPx) / mostMaskPx));
  const mask = {
    widthPx: Math.ceil(widthPx / shrink),
    heightPx: Math.ceil(heightPx / shrink),
    verdicts: new Uint8Array(Math.ceil(widthPx / shrink) * Math.ceil(heightPx / shrink)),
  };
  let at = 0;
  // Each pixel of the mask stands for its first one, and the counts are those of these.
  for (let y = 0; y < heightPx; y += shrink) {
    for (let x = 0; x < widthPx; x += shrink) {
      const pixel = pixels[y * widthPx + x]!;
      const hsv = machineHsv(pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255);
      saturation[binOf(hsv.saturation / 255)]!++;
      value[binOf(hsv.value / 255)]!++;
      const degrees = degreesOf(hsv.hue);
      // Cut-offs are above 0, so that grey and black never pass.
      let verdict: number = colorVerdict.passes;
      if (hsv.saturation / 255 < rule.saturationCutoff) verdict = colorVerdict.saturation;
      else if (hsv.value / 255 < rule.valueCutoff) verdict = colorVerdict.value;
      else {
        hue[Math.min(359, Math.floor(degrees))]!++;
        const isIn = from > to ? degrees <= to || degrees >= from : degrees >= from && degrees <= to;
        if (!isIn) verdict = colorVerdict.hue;
      }
      verdicts[verdict]!++;
      mask.verdicts[at++] = verdict;
    }
  }
  const { box, count } = findBlobs(markPixels(pixels, widthPx, pixelTest(rule)), widthPx, 1);
  const areas = Array.from({ length: count }, (_, row) => boxAreaAt(box, 4 * row));
  return { hue, saturation, value, verdicts, areas, mask };
}

function binOf(share: number): number {
  return Math.min(colorBins - 1, Math.floor(share * colorBins));
}
