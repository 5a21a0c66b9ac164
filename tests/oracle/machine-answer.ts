import type { Answer, Result } from './answer.ts';
import { nothing } from './answer.ts';
import type { OracleAnswer, OracleFrame, OracleResult } from './oracle.ts';

/** The oracle writes this instead of NaN, which JSON lacks. */
const writtenNaN = -999;

/** Converts the oracle's answer. */
export async function machineAnswer({ error, stage, frames }: OracleAnswer): Promise<Answer> {
  return {
    refusal: error === null ? null : `${stage}: ${error}`,
    frames: await Promise.all(
      frames.map(async (frame) => {
        const { widthPx, heightPx, ability } = frame;
        if (frame.error !== null) return { ...nothing, refusal: `${frame.stage}: ${frame.error}` };
        const results = frame.results.map(resultOf);
        return { refusal: null, widthPx, heightPx, ability, results, bytes: await bytesOf(frame) };
      }),
    ),
  };
}

function resultOf({ label, score, box }: OracleResult): Result {
  return { label, score: score === writtenNaN ? NaN : score, box: box ?? [] };
}

/** The pixels or input tensor of a frame; empty if the service never ran. */
async function bytesOf(frame: OracleFrame): Promise<Uint8Array> {
  return frame.pixels().catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return new Uint8Array();
    throw error;
  });
}
