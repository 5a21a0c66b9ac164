/** Names one frame of a source. */
export interface FrameRef {
  readonly name: string;
  readonly index: number;
  readonly timestampMs: number;
  readonly takenAtMs?: number;
}

export function isSameFrame(a: FrameRef, b: FrameRef): boolean {
  return a.index === b.index && a.name === b.name && a.timestampMs === b.timestampMs;
}
