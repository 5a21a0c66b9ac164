import { createInvitation } from '../../src/data-service/people/invitations.ts';
import type { Role } from '../../src/data-service/ports/access-store.ts';
import type { TestServer } from '../../src/server/test-server.ts';
import type { TestBrowser } from './test-browser.ts';

/** What a call answered: its HTTP status, and the message, or the error with its code. */
export interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
  /** error code of Connect; '': the call went well */
  readonly code: string;
}

export const sessionCookie = 'sightglass-session';

/** The origin of a server under a name, as browsers have passkeys and sites for it. */
export const localOrigin = ({ port }: TestServer): string => `http://localhost:${port}`;

/** Invites somebody into organization `a`. @returns the token of the link */
export async function invite(
  { service }: TestServer,
  of: {
    readonly email?: string;
    readonly role?: Role;
    readonly locationId?: string | null;
    readonly partId?: string | null;
    readonly organizationId?: string;
  } = {},
): Promise<string> {
  const { organizationId = 'a', locationId = null, partId = null, role = 'operator', email = '' } = of;
  const offered = { organizationId, locationId, partId, role, name: 'Invited', email, invitedBy: 'Owner' };
  return (await createInvitation(service.dependencies, offered)).token;
}

const pathOf = (call: string): string => {
  const [service, method] = call.split('/') as [string, string];
  const folders = {
    SessionService: 'sightglass.people.v1',
    PeopleService: 'sightglass.people.v1',
    AuditService: 'sightglass.audit.v1',
  };
  const folder = folders[service as keyof typeof folders] ?? 'viam.app.data.v1';
  return `/${folder}.${service}/${method}`;
};

/** Calls a service as a page of the server itself does, as 'SessionService/GetSession'. */
export async function callAs(
  browser: TestBrowser,
  origin: string,
  call: string,
  message: object = {},
  { from = origin, headers = {} }: { readonly from?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const response = await browser.fetch(origin + pathOf(call), from, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  });
  return answerOf(response);
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, json, code: typeof json['code'] === 'string' ? json['code'] : '' };
}

/** The name of who is logged in; null: nobody. */
export async function whoIsIn(browser: TestBrowser, origin: string): Promise<string | null> {
  const { json } = await callAs(browser, origin, 'SessionService/GetSession');
  return (json['person'] as { readonly name?: string } | undefined)?.name ?? null;
}
