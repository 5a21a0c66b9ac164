import type { Outputs } from '../../../machine/vision/face/results.ts';
import { agreement } from './agreement.ts';
import { readBoxRows, type BoxRows, type InferenceSizes } from './box-rows.ts';
import { judgeBoxes } from './judge-boxes.ts';
import type { ListedInterpretation } from './list-interpretations.ts';
import type { Verdict } from './verdict.ts';

/** One run with its outputs. */
export interface Run extends InferenceSizes {
  readonly outputs: Outputs;
}

/** An interpretation with what the frame says of it. */
export interface RankedInterpretation extends ListedInterpretation {
  readonly verdict: Verdict;
  /** 0..1; how interpretations compare on one frame, no probability */
  readonly plausibility: number;
  readonly rows: BoxRows;
}

/**
 * Sorts interpretations by how plausible they are on a frame and, where it was run, on its mirror image. Equal ones
 * keep their order, in which the machine's own way comes first. Those whose tensors do not fit together are left out.
 * @param interpretations of `listInterpretations`
 * @param run outputs for the frame
 * @param mirrored outputs for the mirror image; null: it was not run
 * @returns interpretations with their boxes, verdict and plausibility, best first
 * @example
 * rankInterpretations([], { outputs: new Map(), inputWidthPx: 4, inputHeightPx: 4 }, null); // => []
 */
export function rankInterpretations(
  interpretations: readonly ListedInterpretation[],
  run: Run,
  mirrored: Run | null,
): RankedInterpretation[] {
  const ranked = interpretations.flatMap((interpretation) => {
    const rows = readBoxRows(run.outputs, interpretation.output, run);
    if (!rows) return [];
    const verdict = judgeBoxes(rows);
    const there = mirrored && readBoxRows(mirrored.outputs, interpretation.output, mirrored);
    const agrees = there && verdict.kind !== 'refused' ? agreement(rows, there) : null;
    return [
      {
        ...interpretation,
        rows,
        verdict,
        plausibility: worth[verdict.kind] * (agrees === null ? 0.5 : 0.1 + 0.9 * agrees),
      },
    ];
  });
  return ranked.sort((a, b) => b.plausibility - a.plausibility);
}

const worth: Readonly<Record<Verdict['kind'], number>> = { plausible: 1, unsure: 0.3, refused: 0 };

/**
 * Picks the interpretations between which the frame does not decide.
 * @param ranked best first
 * @returns best first; a single one where the frame decides; []: none may be right
 * @example
 * const ranked = [1, 0.5, 0.7].map((plausibility) => ({ plausibility, verdict: { kind: 'plausible' } }));
 * interpretationsLeft(ranked).map(({ plausibility }) => plausibility); // => [1, 0.7]
 */
export function interpretationsLeft(ranked: readonly RankedInterpretation[]): readonly RankedInterpretation[] {
  const [best] = ranked;
  if (!best || best.verdict.kind !== 'plausible') return ranked.filter(({ verdict }) => verdict.kind !== 'refused');
  return ranked.filter(({ plausibility }) => plausibility > 0.6 * best.plausibility);
}
