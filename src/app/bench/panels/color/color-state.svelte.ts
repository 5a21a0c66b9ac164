import {
  type ColorAttributes,
  readColorDetector,
  setColorAttributes,
  setPickedColor,
} from '../../../../machine/config/face/edits.ts';
import { boxAreaAt, colorDefaults, type ColorRule, hexColor } from '../../../../machine/vision/face/colors.ts';
import { errorMessage } from '../../../../machine/vision/face/errors.ts';
import type { ColorView } from '../../../../machine/vision/face/color-search.ts';
import type { PixelWindow } from '../../../../machine/vision/face/cameras.ts';
import type { FrameResult } from '../../../../../workers/vision/protocol.ts';
import type { ColorBench } from './color-bench.ts';
import { SeenColors } from './seen-colors.ts';

/** The colour detector that is tuned: its attributes, and what its cut-offs do to the pictures that it sees. */
export class ColorState {
  readonly #bench: ColorBench;
  readonly #seen = new SeenColors();
  /** view of the picture on the stage; null: not looked at yet */
  view = $state.raw<ColorView | null>(null);
  /** grows with each look: the histograms are those of `#seen` */
  #looks = $state(0);
  /** why nothing could be picked or looked at; '': it could */
  fault = $state.raw('');
  #isLooking = false;
  #isDue = false;

  constructor(bench: ColorBench) {
    this.#bench = bench;
  }

  get #name(): string {
    return this.#bench.config.visionName ?? '';
  }

  readonly #read = $derived.by(() => {
    const entry = this.#bench.config.parsed.entries.find(
      ({ name, kind }) => kind === 'color-detector' && name === this.#bench.config.visionName,
    );
    return readColorDetector(entry?.attributes ?? {});
  });

  /** The attributes as they are decoded: 0 and '' where they are missing. */
  get attributes() {
    return this.#read.attributes;
  }

  /** The rule in force; null: the machine does not build the service. */
  get rule(): ColorRule | null {
    return this.#read.rule;
  }

  /** Why the machine does not build the service; '': it does. */
  get refusal(): string {
    return this.#read.refusal?.message ?? '';
  }

  readonly saturationCutoff: number = $derived(this.attributes.saturation_cutoff_pct || colorDefaults.saturationCutoff);
  readonly valueCutoff: number = $derived(this.attributes.value_cutoff_pct || colorDefaults.valueCutoff);
  readonly minAreaPx: number = $derived(this.attributes.segment_size_px || colorDefaults.minAreaPx);

  /** The histograms under the sliders. */
  readonly histograms = $derived.by(() => {
    void this.#looks;
    const { saturation, value, frameCount } = this.#seen;
    const bins = { hue: this.#seen.hueFrom(this.rule?.hueDeg ?? 0), areas: this.#seen.areas(this.framePx) };
    return { ...bins, saturation: saturation.slice(), value: value.slice(), frameCount };
  });

  /** Area of the picture that is seen; before the first, of a usual one. */
  get framePx(): number {
    return this.view ? this.view.widthPx * this.view.heightPx : 640 * 480;
  }

  /** Pixels of the picture on the stage by what they fail, as shares; null: not known. */
  readonly shares: readonly number[] | null = $derived.by(() => {
    const verdicts = this.view?.colors?.verdicts;
    const all = verdicts?.reduce((sum, count) => sum + count, 0) ?? 0;
    return verdicts && all > 0 ? verdicts.map((count) => count / all) : null;
  });

  /** @param drag the change belongs to a drag, which is one undo step until `settle` */
  set(attributes: ColorAttributes, drag = false): void {
    const what = Object.keys(attributes).join(' ');
    this.#edit((text) => setColorAttributes(text, this.#name, attributes), drag ? `color ${what}` : undefined);
  }

  dismissFault(): void {
    this.fault = '';
  }

  settle(): void {
    this.#bench.config.settle();
  }

  /** Takes the colour of a patch of the picture that is seen; a patch of one pixel leaves the tolerance as it is. */
  async pick(patch: PixelWindow): Promise<void> {
    const view = await this.#look(patch);
    if (!view) return;
    if (!view.patch) {
      this.fault = 'This patch is black, white or grey, which has no hue. Choose a more colourful one.';
      return;
    }
    const { tolerance, saturation, value } = view.patch;
    const isOne = patch.xMax - patch.xMin <= 1 && patch.yMax - patch.yMin <= 1;
    const spread = Math.max(0.01, Math.ceil(tolerance * 100) / 100);
    const keeps = isOne && this.attributes.hue_tolerance_pct > 0;
    const picked = { detect_color: hexColor(view.patch), ...(!keeps && { hue_tolerance_pct: spread }) };
    this.#edit((text) => setPickedColor(text, this.#name, picked, { saturation, value }));
  }

  /** Takes the area of a drawn box, as the machine counts it, for the least one: that box would be kept. */
  takeArea({ xMin, yMin, xMax, yMax }: PixelWindow): void {
    const area = boxAreaAt([xMin, yMin, xMax - 1, yMax - 1], 0);
    this.fault = area > 0 ? '' : 'A box of one row or one column of pixels has no area. Draw a larger one.';
    if (area > 0) this.set({ segment_size_px: area });
  }

  /** Looks at the picture on the stage again, unless a look is under way: then after it. */
  async look(): Promise<void> {
    this.#isDue = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isDue) {
        this.#isDue = false;
        const result = this.#bench.session.listed;
        const { rule } = this;
        const view = await this.#look(null);
        if (view) this.#note(result, rule, view);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  #note(result: FrameResult | null, rule: ColorRule | null, view: ColorView): void {
    this.view = view;
    if (result && rule && view.colors) {
      const { name, index } = result.frame;
      this.#seen.add(`${name} ${index} ${view.widthPx}`, rule, view.colors);
    }
    this.#looks++;
  }

  async #look(patch: PixelWindow | null): Promise<ColorView | null> {
    this.fault = '';
    try {
      return await this.#bench.vision.lookAtColors({ rule: this.rule && { ...this.rule }, patch });
    } catch (error) {
      this.fault = `The colours of the picture could not be read: ${errorMessage(error)}`;
      return null;
    }
  }

  #edit(change: (text: string) => string, coalesce?: string): void {
    this.#bench.config.edit(`Colour of ${this.#name}`, change, coalesce === undefined ? {} : { coalesce });
  }
}
