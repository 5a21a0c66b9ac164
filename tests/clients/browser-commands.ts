import type { BrowserCommand } from 'vitest/node';
import type { Column, Marks } from './operation-table.ts';
import { readmeColumn } from './readme-column.ts';
import { serveSightglass, type SightglassServer } from './sightglass-server.ts';

const servers = new Map<string, SightglassServer>();

/** Commands that tests in a page can run in Node. */
export const browserCommands = {
  serveSightglass: async () => {
    const server = await serveSightglass(['--mongo-port', '0']);
    servers.set(server.origin, server);
    const { origin, organizationId, locationId, partId, keyId, key } = server;
    return { origin, organizationId, locationId, partId, keyId, key };
  },
  closeSightglass: async (_, origin) => servers.get(origin)?.close(),
  readmeColumn: (_, column, passed) => readmeColumn(column, passed),
} satisfies {
  serveSightglass: BrowserCommand<[]>;
  closeSightglass: BrowserCommand<[string]>;
  readmeColumn: BrowserCommand<[Column, Marks]>;
};
