import { Code, ConnectError, createClient, type Client } from '@connectrpc/connect';
import { AppService } from '../../../../../gen/app/v1/app_pb.ts';
import { PeopleService, type Invitation, type Membership } from '../../../../../gen/sightglass/people/v1/people_pb.ts';
import { errorWords, type ErrorWords } from '../../../../kit/words/error-words.ts';
import type { DataContext } from '../../../context/data-context.ts';

/** A location, or a part, that a membership may be for. */
export interface Place {
  readonly id: string;
  readonly name: string;
}

/** A row of the list: somebody who is a member, or is invited to be one. */
export type PeopleRow =
  | { readonly kind: 'member'; readonly id: string; readonly member: Membership }
  | { readonly kind: 'invitation'; readonly id: string; readonly invitation: Invitation };

/** What a member may do, and where; `locationId` '': in the whole organization; `partId` '': with all parts. */
export type MemberPowers = Pick<Membership, 'role' | 'locationId' | 'partId'>;

/** Who is invited as what. */
export interface NewInvitation extends MemberPowers {
  readonly name: string;
  readonly email: string;
}

type Context = Pick<DataContext, 'transport' | 'home' | 'refusal'>;

/** The people of the organization whose data is shown. Methods that change something reject with ConnectError. */
export class PeopleList {
  readonly #context: Context;
  readonly #client: Client<typeof PeopleService>;
  /** by their location */
  #parts: Readonly<Record<string, Promise<readonly Place[]>>> = {};
  members = $state.raw<readonly Membership[]>([]);
  invitations = $state.raw<readonly Invitation[]>([]);
  /** The locations that a membership may be for, by name. */
  places = $state.raw<readonly Place[]>([]);
  isRead = $state(false);
  /** the data service is another one, which has no people */
  isUntold = $state(false);
  failure = $state.raw<ErrorWords | null>(null);
  /** why whoever looks may not change anything here; '': they may */
  refusal = $state('');

  constructor(context: Context) {
    this.#context = context;
    this.#client = createClient(PeopleService, context.transport);
    this.refusal = context.refusal(PeopleService.method.inviteMember);
  }

  /** Reads members and open invitations, or reads them again. */
  async read(signal: AbortSignal): Promise<void> {
    this.#parts = {};
    const organization = this.#organization;
    try {
      const [{ members }, invitations, places] = await Promise.all([
        this.#client.listMembers(organization, { signal }),
        this.refusal === '' ? this.#readInvitations(signal) : [],
        this.#readPlaces(signal),
      ]);
      this.members = members.toSorted((a, b) => a.personName.localeCompare(b.personName) || a.id.localeCompare(b.id));
      [this.invitations, this.places] = [invitations, places];
      [this.isRead, this.failure] = [true, null];
    } catch (error) {
      if (signal.aborted) return;
      this.isUntold = ConnectError.from(error).code === Code.Unimplemented;
      this.failure = this.isUntold ? null : errorWords(error);
    }
  }

  /** The rows whose name, e-mail address, role or place contains the words; members first. */
  matching(words: string): readonly PeopleRow[] {
    const wanted = words.trim().toLowerCase();
    const has = (...texts: readonly string[]): boolean => texts.some((text) => text.toLowerCase().includes(wanted));
    const members = this.members.filter((one) =>
      has(one.personName, one.email, one.role, one.locationName, one.locationId, one.partName, one.partId),
    );
    const invitations = this.invitations.filter((one) =>
      has(one.name, one.email, one.role, one.locationId, one.partName),
    );
    return [
      ...members.map((member) => ({ kind: 'member', id: member.id, member }) as const),
      ...invitations.map((invitation) => ({ kind: 'invitation', id: invitation.id, invitation }) as const),
    ];
  }

  /** Makes an invitation. Resolves to the token of its link, which is told once. */
  async invite(invitation: NewInvitation): Promise<string> {
    const { token, invitation: made } = await this.#client.inviteMember({ ...this.#organization, ...invitation });
    if (made) this.invitations = [...this.invitations, made];
    return token;
  }

  async withdraw(id: string): Promise<void> {
    await this.#client.deleteInvitation({ ...this.#organization, id });
    this.invitations = this.invitations.filter((one) => one.id !== id);
  }

  async change(id: string, powers: MemberPowers): Promise<void> {
    const { role, locationId, partId } = powers;
    await this.#client.changeMember({ ...this.#organization, id, role, locationId, partId });
    const parts = partId === '' ? [] : await this.partsOf(locationId).catch(() => []);
    const names = {
      locationName: this.places.find((place) => place.id === locationId)?.name ?? locationId,
      partName: parts.find((part) => part.id === partId)?.name ?? partId,
    };
    this.members = this.members.map((one) => (one.id === id ? { ...one, role, locationId, partId, ...names } : one));
  }

  /** The parts of a location as "MACHINE / PART", by name; read once until all is read again. Rejects with ConnectError. */
  partsOf(locationId: string): Promise<readonly Place[]> {
    const read = this.#parts[locationId] ?? this.#readParts(locationId);
    this.#parts = { ...this.#parts, [locationId]: read };
    return read;
  }

  async #readParts(locationId: string): Promise<readonly Place[]> {
    const app = createClient(AppService, this.#context.transport);
    const { robots } = await app.listRobots({ locationId });
    const ofRobots = await Promise.all(
      robots.map(async ({ id, name: machine }) =>
        (await app.getRobotParts({ robotId: id })).parts.map((part) => ({
          id: part.id,
          name: `${machine} / ${part.name}`,
        })),
      ),
    );
    return ofRobots.flat().toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /** Ends the membership and its sessions: the person's next call is refused. */
  async remove(id: string): Promise<void> {
    await this.#client.removeMember({ ...this.#organization, id });
    this.members = this.members.filter((one) => one.id !== id);
  }

  async endSessions(id: string): Promise<void> {
    await this.#client.endSessions({ ...this.#organization, id });
  }

  get #organization() {
    return { organizationId: this.#context.home.organizationId };
  }

  async #readPlaces(signal: AbortSignal): Promise<readonly Place[]> {
    const app = createClient(AppService, this.#context.transport);
    const { locations } = await app.listLocations(this.#organization, { signal });
    return locations.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name));
  }

  async #readInvitations(signal: AbortSignal): Promise<readonly Invitation[]> {
    try {
      return (await this.#client.listInvitations(this.#organization, { signal })).invitations;
    } catch (error) {
      const { code, rawMessage } = ConnectError.from(error);
      if (code !== Code.PermissionDenied) throw error;
      this.refusal = rawMessage; // the caller has a key, whose role only the service knows
      return [];
    }
  }
}
