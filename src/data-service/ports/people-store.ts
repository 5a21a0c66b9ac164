import type { Place, Role } from './access-store.ts';
import type { Micros } from './stored-captures.ts';

/** Someone who logs in; of the whole installation. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** in lower case; '': none */
  readonly email: string;
  /** issuer of the provider that logs the person in; '': none */
  readonly issuer: string;
  /** who it is at the provider */
  readonly subject: string;
  readonly timeCreated: Micros;
}

/** What someone may do, and where. */
export interface Powers extends Place {
  readonly role: Role;
}

/** What a person may do in an organization: as much as a key of the same place and role. */
export interface Membership extends Powers {
  readonly id: string;
  readonly personId: string;
  readonly organizationId: string;
  readonly timeCreated: Micros;
  /** when the person last worked as it, as exactly as sessions are renewed; null: never */
  readonly timeSeen: Micros | null;
  /** No session from then or before works as it. Absent: none was ended. */
  readonly sessionsEnded?: Micros;
}

export interface Member extends Membership {
  readonly person: Person;
}

/** The credential by which a person logs in without a provider. */
export interface Passkey {
  /** id of the credential, base64url */
  readonly id: string;
  readonly personId: string;
  /** key as WebAuthn encodes it (COSE) */
  readonly publicKey: Uint8Array;
  /** number of signatures, as the authenticator last said */
  readonly counter: number;
  /** names of WebAuthn: 'internal', 'usb', … */
  readonly transports: readonly string[];
  readonly name: string;
  readonly timeCreated: Micros;
}

/** An offer of a membership, which one person may take once. */
export interface Invitation extends Powers {
  readonly id: string;
  /** SHA-256 of its token, base64url */
  readonly tokenHash: string;
  readonly organizationId: string;
  /** name of the person who is invited */
  readonly name: string;
  /** in lower case; '': none */
  readonly email: string;
  /** the name of who invites */
  readonly invitedBy: string;
  readonly timeCreated: Micros;
  readonly expires: Micros;
}

/** Someone who is logged in, in one browser. */
export interface Session {
  /** SHA-256 of its token, base64url */
  readonly id: string;
  readonly personId: string;
  /** membership as which the person works now */
  readonly membershipId: string;
  /** origin of the page where the session began, such as 'https://data.example:8080' */
  readonly origin: string;
  /** the person's e-mail address, in lower case, where a provider verified it at this log-in; absent: none did */
  readonly verifiedEmail?: string;
  readonly timeCreated: Micros;
  /** when it is over unless it is renewed; never after `ends` */
  readonly until: Micros;
  /** when it is over however much it is used */
  readonly ends: Micros;
}

/** A session with whose it is, as they are now. */
export interface OpenSession {
  readonly session: Session;
  readonly member: Member;
}

/**
 * Who may log in, and who is logged in. Methods are atomic and durable, and what they refuse changes nothing; lists are by the name of
 * the person or invitation, then id. An owner here is a member with the role owner of the whole organization.
 */
export interface PeopleStore {
  getPerson(id: string): Promise<Person | null>;
  findPerson(issuer: string, subject: string): Promise<Person | null>;

  /**
   * Takes an invitation: deletes it, adds the person where there is none of that id, and the membership, and the passkey, where one is
   * given. `not-found`: the invitation was taken or deleted meanwhile; `already-exists`: another person has the same subject of the
   * same issuer, or the passkey is known.
   */
  join(invitationId: string, person: Person, membership: Membership, passkey: Passkey | null): Promise<void>;
  listMembers(of: { readonly organizationId: string } | { readonly personId: string }): Promise<readonly Member[]>;
  getMember(membershipId: string): Promise<Member | null>;
  /** `not-found`; `last-owner` where the organization would have no owner any more. */
  changeMember(membershipId: string, powers: Powers): Promise<void>;
  /** Ends its sessions, and deletes a person without another membership, with passkeys. `not-found`, `last-owner` as above. */
  removeMember(membershipId: string): Promise<void>;

  /** `not-found` without its person, `already-exists` for a known id. */
  addPasskey(passkey: Passkey): Promise<void>;
  getPasskey(id: string): Promise<Passkey | null>;
  listPasskeys(personId: string): Promise<readonly Passkey[]>;
  /** `not-found` */
  setPasskeyCounter(id: string, counter: number): Promise<void>;
  /** `not-found` */
  deletePasskey(id: string): Promise<void>;

  createInvitation(invitation: Invitation): Promise<void>;
  /** Also one that is over. */
  findInvitation(tokenHash: string): Promise<Invitation | null>;
  /** Also those that are over. An e-mail address finds invitations of all organizations. */
  listInvitations(of: { readonly organizationId: string } | { readonly email: string }): Promise<readonly Invitation[]>;
  /** `not-found`, also for one of another organization */
  deleteInvitation(organizationId: string, id: string): Promise<void>;

  /** Says that its member was seen then. `not-found` without its membership, of its person. */
  createSession(session: Session): Promise<void>;
  /** Also one that is over. */
  getSession(id: string): Promise<OpenSession | null>;
  /** Makes it last until then, or longer where it does already, and says that its member is seen `now`. `not-found` */
  renewSession(id: string, until: Micros, now: Micros): Promise<void>;
  /** `not-found` without the session, or a membership of its person in which sessions of its age were not ended */
  switchSession(id: string, membershipId: string): Promise<void>;
  /** Nothing happens where it is gone. */
  deleteSession(id: string): Promise<void>;
  deleteSessionsOf(personId: string): Promise<void>;
  /** Ends the sessions that work as a membership, and lets none that began by `now` be switched to it. `not-found` */
  endMemberSessions(membershipId: string, now: Micros): Promise<void>;
  /** Deletes, without rows in the audit, the sessions and invitations that were over by then. */
  forgetOver(time: Micros): Promise<void>;
}
