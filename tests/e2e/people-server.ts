import { createClient, type Client } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import type { Page } from 'playwright';
import { AuthService } from '../../src/gen/proto/rpc/v1/auth_pb.ts';
import { PeopleService } from '../../src/gen/sightglass/people/v1/people_pb.ts';
import { authorizing } from '../clients/login.ts';
import type { SightglassServer } from '../clients/sightglass-server.ts';

/** The address of a server by its name: passkeys and providers are of a name, never of an address in numbers. */
export const namedUrl = ({ origin }: SightglassServer): string => `${origin.replace('127.0.0.1', 'localhost')}/`;

/** What whoever has the owner's key can do about the people of a server, without a page. */
export async function peopleOf(server: SightglassServer): Promise<Client<typeof PeopleService>> {
  const transport = (authorization: string | null) =>
    createGrpcWebTransport({ baseUrl: server.origin, httpVersion: '1.1', interceptors: [authorizing(authorization)] });
  const credentials = { type: 'api-key', payload: server.key };
  const auth = createClient(AuthService, transport(null));
  const { accessToken } = await auth.authenticate({ entity: server.keyId, credentials });
  return createClient(PeopleService, transport(`Bearer ${accessToken}`));
}

/** The button with a person's name and role that opens their menu. */
export const userMenu = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name} \\w+ · `) });

/**
 * Goes to a place as a link of the page does: a navigation from outside stops what the page is still loading, and a module that is stopped
 * stays pending. The page first goes back from the entry of a dialog that was just closed, as it has when a person comes to click.
 */
export async function goWithin(page: Page, hash: string): Promise<void> {
  await page.waitForFunction(() => document.querySelector('dialog[open]') !== null || history.state === null);
  await page.evaluate((next) => void (location.hash = next), hash);
}
