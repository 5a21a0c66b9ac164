import { createClient, type Client, type Transport } from '@connectrpc/connect';
import {
  SessionService,
  type GetInvitationResponse,
  type GetSessionResponse,
  type Membership,
  type OfferedMembership,
  type Person,
} from '../../../gen/sightglass/people/v1/people_pb.ts';
import { openLogInNews } from './log-in-news.ts';
import { createPasskey, usePasskey } from './passkeys.ts';

/** Who is logged in, and as what. */
export interface LoggedIn {
  readonly person: Person;
  readonly membership: Membership;
  /** all of the person's */
  readonly memberships: readonly Membership[];
  /** the part that uploads go to; '': the place has none */
  readonly partId: string;
  readonly passkeyNames: readonly string[];
  /** invitations to the address that the provider verified at this log-in */
  readonly invitations: readonly OfferedMembership[];
}

/** What a server offers to log in with. */
export interface LogInWays {
  readonly hasPasskeys: boolean;
  /** name of the identity provider; '': there is none */
  readonly providerName: string;
}

/** The ceremonies of the browser; tests give their own. */
export interface Passkeys {
  readonly create: typeof createPasskey;
  readonly use: typeof usePasskey;
}

/** Whoever is logged in to the server that the page comes from. Methods reject with ConnectError or PasskeyError. */
export class OwnSession {
  readonly #client: Client<typeof SessionService>;
  readonly #passkeys: Passkeys;
  readonly #tellOtherTabs: () => void;
  readonly transport: Transport;
  ways = $state.raw<LogInWays>({ hasPasskeys: false, providerName: '' });
  /** null: nobody */
  who = $state.raw<LoggedIn | null>(null);

  constructor(transport: Transport, passkeys: Passkeys = { create: createPasskey, use: usePasskey }) {
    this.transport = transport;
    this.#client = createClient(SessionService, transport);
    this.#passkeys = passkeys;
    this.#tellOtherTabs = openLogInNews(() => void this.ask().catch(() => undefined)); // unknown: the next call tells
    this.#tellOtherTabs(); // this page may be where the provider has sent somebody
  }

  /** Asks the server who is logged in. */
  async ask(signal?: AbortSignal): Promise<void> {
    this.#take(await this.#client.getSession({}, signal ? { signal } : {}));
  }

  /** `invitationToken`: of an invitation that the person takes. */
  async logInWithPasskey(invitationToken = ''): Promise<void> {
    const { ceremony, optionsJson } = await this.#client.beginPasskeyLogIn({});
    const responseJson = await this.#passkeys.use(optionsJson);
    await this.#client.finishPasskeyLogIn({ ceremony, responseJson, invitationToken });
    await this.#changed();
  }

  /** A further passkey for who is logged in. */
  async addPasskey(): Promise<void> {
    await this.#register('', '');
  }

  /** What an invitation is for. */
  invitation(token: string, signal: AbortSignal): Promise<GetInvitationResponse> {
    return this.#client.getInvitation({ token }, { signal });
  }

  /** Takes an invitation as a new person with a new passkey, and logs in. */
  async join(token: string, name: string): Promise<void> {
    await this.#register(token, name);
  }

  async switchTo(membershipId: string): Promise<void> {
    await this.#client.switchMembership({ membershipId });
    await this.#changed();
  }

  /** Joins the organization that an invitation is of, or declines the invitation. The log-in stays as it is. */
  async answerInvitation(id: string, join: boolean): Promise<void> {
    await this.#client.answerInvitation({ id, join });
    await this.#changed();
  }

  /** `everywhere`: all sessions of the person end. */
  async logOut(everywhere: boolean): Promise<void> {
    await this.#client.logOut({ everywhere });
    await this.#changed();
  }

  async #register(invitationToken: string, name: string): Promise<void> {
    const { ceremony, optionsJson } = await this.#client.beginPasskeyRegistration({ invitationToken, name });
    const responseJson = await this.#passkeys.create(optionsJson);
    await this.#client.finishPasskeyRegistration({ ceremony, responseJson, invitationToken, name });
    await this.#changed();
  }

  async #changed(): Promise<void> {
    await this.ask();
    this.#tellOtherTabs();
  }

  #take({ person, membership, memberships, partId, passkeyNames, invitations, ...ways }: GetSessionResponse): void {
    this.ways = ways;
    const own = { memberships, partId, passkeyNames, invitations };
    this.who = person && membership ? { person, membership, ...own } : null;
  }
}
