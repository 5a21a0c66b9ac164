import type { MachineKey } from '../src/remote/links/machine-link.ts';

/** What the page of the figure "webrtc" does. Times in ms. */
export interface WebRtcSteps {
  /** Times of CaptureAllFromCamera, one call after the other, of each address in turn. */
  calls(urls: readonly string[], key: MachineKey, rounds: number): Promise<number[][]>;
  /** Times from the dial to the camera's first picture, each over a connection of its own. */
  dials(url: string, key: MachineKey, count: number): Promise<number[]>;
  /** Number of peer connections that were opened on the page, and how many of them are not closed. They are forgotten. */
  connections(): Promise<{ readonly opened: number; readonly left: number }>;
  /**
   * Connects the app: the time until the machine's resources are known, and until a frame of it has run here and is on the stage. Over
   * one connection to the end.
   */
  connect(url: string, key: MachineKey): Promise<{ readonly knownMs: number; readonly boxesMs: number }>;
  /** Waits for so many frames on the stage, as fast as possible, and returns the time. */
  frames(count: number): Promise<number>;
  /** Asks for ten frames a second for so long, and returns how many came. */
  stream(seconds: number): Promise<number>;
  disconnect(): Promise<void>;
}
