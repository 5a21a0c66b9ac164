/** Where a frame came from, and when. */
export interface FrameInfo {
  /** file name, device label or "builtin/sample1.jpg" */
  readonly name: string;
  readonly index: number;
  /** source time in ms (video position, capture time) */
  readonly timestampMs: number;
  /** when the page got the frame, ms since 1970; filled in by the client */
  readonly takenAtMs?: number;
}
