import type { ServedHome } from './home.ts';
import type { Column, Marks } from './operation-table.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Starts `sightglass serve`; ends with `closeSightglass`. */
    serveSightglass(): Promise<ServedHome>;
    closeSightglass(origin: string): Promise<void>;
    /** The documented results of a column, as `readmeColumn` reads them. */
    readmeColumn(column: Column, passed: Marks): Promise<Marks>;
  }
}
