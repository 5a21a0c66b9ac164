import type { ModelFormatName } from '../modules/known-modules.ts';
import type { Preprocessing } from '../structure/family.ts';
import type { ModelStructure } from '../structure/model-structure.ts';
import type { OptionSpec } from '../structure/options.ts';
import type { Rewrite, Rewritten } from './rewrite-graph.ts';

/** A model file that is to be fitted: what families go by, and how it is rewritten. */
export interface FitSource {
  readonly format: ModelFormatName;
  readonly structure: ModelStructure;
  /** @throws FitError already-fits, where the machine takes it as it is */
  readonly refuseWhatFits: () => void;
  /** how its graph can keep a frame's proportions, for a family that was trained so */
  readonly letterboxOptions: (preprocessing: Preprocessing) => readonly OptionSpec[];
  /** Gives the model the machine's boundary: what must happen before the network, the network, the family's decoding. */
  readonly rewrite: (rewrite: Rewrite) => Rewritten;
  /** The rewritten file, with what it says of itself; null leaves a key out. */
  readonly encode: (metadata: Readonly<Record<string, string | null>>) => Uint8Array<ArrayBuffer>;
}
