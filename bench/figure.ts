import type { Page } from 'playwright';
import type { MemoryInUse } from './memory-in-use.ts';

/** One number of a figure, with its bound, if it has one. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  /** 'ms', '×', 'KB', … */
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** The tools of a figure. The runner closes everything that they open. */
export interface BenchTools {
  /** Opens a page of bench/pages (built like the app) in a Chromium with a fake camera, and calls its global `measure`. */
  measureOnPage<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  /** The same in a new profile on the disk. In other profiles a page's storage is in memory. */
  measureOnDisk<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  /** Like measureOnPage, but the figure itself calls `measure`. */
  openPage(name: string): Promise<Page>;
  /** Like openPage, in a Chromium that reports the memory of the page and its workers. Must be the first page of a figure. */
  openWatchedPage(name: string): Promise<{ readonly page: Page; readonly memoryInUse: () => Promise<MemoryInUse> }>;
  /** Opens the built app in a fresh profile; needs `npm run build`. */
  openApp(path?: string): Promise<Page>;
  /** The same from a host without cross-origin isolation headers. */
  openAppOfPlainHost(): Promise<Page>;
  /** The same as openApp, in a profile on the disk. */
  openAppOnDisk(path?: string): Promise<Page>;
  /** A file of bench/pages as a script to run in the app's own page, which alone has access to the app's storage. */
  pageScript(name: string): Promise<string>;
  /** absolute path of the repository, with a trailing slash */
  readonly root: string;
  note(text: string): void;
  /** Records the figure's progress, for the message if it exceeds its time limit. */
  at(place: string): void;
}

/** A figure (a file of bench/figures): what it measures, and how. */
export interface Figure {
  readonly title: string;
  /** time limit, default 15; after it the figure fails with its last progress */
  readonly limitMinutes?: number;
  measure(tools: BenchTools): Promise<readonly Measurement[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the ratios of each round. A temporary slowdown of the computer affects both sides of a round. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / others[round]!));
}
