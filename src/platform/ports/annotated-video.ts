/** Writes pictures with what was drawn on them. Implemented in platform/browser. */
export interface AnnotatedWriter {
  /** extension of the file, with its dot: ".mp4", or ".zip" where the browser encodes no video */
  readonly extension: string;
  /** Why it writes a zip of pictures, in words that follow "because"; '': it writes a video. */
  readonly whyZip: string;
  /** Adds the canvas as the next picture. */
  add(canvas: HTMLCanvasElement, timeMs: number): Promise<void>;
  /** Ends the file. `endMs`: when its last picture ends. */
  finish(endMs: number): Promise<Blob>;
  /** Gives up. */
  close(): void;
}

/** @param kind pictures of a folder are always put in a zip. */
export type OpenAnnotatedWriter = (size: {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly kind: 'video' | 'pictures';
}) => Promise<AnnotatedWriter>;
