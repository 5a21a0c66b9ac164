import type { Page } from 'playwright';
import type { MemoryInUse } from './memory-in-use.ts';

/** One number of a figure, with the bound it is held to, if any. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  /** 'ms', '×', 'KB', … */
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** What a figure may use; whatever it opens is closed by the runner. */
export interface BenchTools {
  /** Builds bench/pages like the app, opens one in a Chromium that has a fake camera, and calls its global `measure`. */
  measureOnPage<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  /** The same in a profile of its own on the disk: in any other, a page's storage is memory. */
  measureOnDisk<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  /** The same in a Chromium with WebGPU by a software adapter, which is right and slow. */
  measureOnGpu<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  /** The same in a Chromium that may use a GPU, if the computer has one. */
  measureOnHardware<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  /** As measureOnPage, for a figure that calls `measure` by itself. */
  openPage(name: string): Promise<Page>;
  /** As openPage, in a Chromium that tells what the page and its workers hold. To be the first that a figure opens. */
  openWatchedPage(name: string): Promise<{ readonly page: Page; readonly memoryInUse: () => Promise<MemoryInUse> }>;
  /** Opens the built app in a fresh profile; needs `npm run build`. */
  openApp(path?: string): Promise<Page>;
  /** The same from a host that sends no isolation headers. */
  openAppOfPlainHost(): Promise<Page>;
  /** As openApp, in a profile on the disk. */
  openAppOnDisk(path?: string): Promise<Page>;
  /** A file of bench/pages as a script for the app's own page: only there is the app's storage. */
  pageScript(name: string): Promise<string>;
  /** absolute path of the repository, with a slash at its end */
  readonly root: string;
  note(text: string): void;
  /** Where the figure stands now: said when it reaches its time limit. */
  at(place: string): void;
}

/** A file of bench/figures: what is measured, and how. */
export interface Figure {
  readonly title: string;
  /** after so long it is given up, with a word on where it stood; default: 15 */
  readonly limitMinutes?: number;
  measure(tools: BenchTools): Promise<readonly Measurement[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The middle of the ratios round by round: what slows the machine down for a while slows both sides of a round. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / others[round]!));
}
