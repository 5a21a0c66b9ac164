import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf, startDataService, type TestService } from '../../../tests/data-service-fixture.ts';
import { addMember, logMemberIn, sessionOrigin } from '../../../tests/session-host.ts';
import type { SessionToken } from '../access/sessions.ts';
import { SessionService } from '../../gen/sightglass/people/v1/people_pb.ts';
import type { PasskeyCeremonies, PasskeyCeremony } from '../ports/passkey-ceremonies.ts';
import type { Member } from '../ports/people-store.ts';
import { createInvitation } from './invitations.ts';
import { passkeyDomain } from './passkey-domain.ts';

/** An authenticator's answer, as the ceremonies of these tests read it. */
interface Answer {
  readonly id: string;
  readonly challenge: string;
  readonly counter?: number;
}

/** Ceremonies that take an answer to their own challenge, and say in their options what they were asked with. */
const passkeys: PasskeyCeremonies = {
  registrationOptions: async (ceremony, person, known) =>
    JSON.stringify({ ...ceremony, person, known: known.map(({ id }) => id) }),
  async verifyRegistration({ challenge }, responseJson) {
    const answer = JSON.parse(responseJson) as Answer;
    const made = { id: answer.id, publicKey: Uint8Array.of(1), counter: answer.counter ?? 0, transports: [] };
    return answer.challenge === challenge ? made : null;
  },
  logInOptions: async (ceremony) => JSON.stringify(ceremony),
  passkeyIdOf: (responseJson) => (JSON.parse(responseJson) as Partial<Answer>).id ?? null,
  async verifyLogIn({ challenge }, responseJson, { id }) {
    const answer = JSON.parse(responseJson) as Answer;
    return answer.challenge === challenge && answer.id === id ? (answer.counter ?? 0) : null;
  },
};

let service: TestService;
let origin = sessionOrigin;
let member: Member;
beforeEach(async () => {
  origin = sessionOrigin;
  service = await startDataService({ logIn: { passkeys, providerName: '' }, publicOrigin: () => origin });
  member = await addMember(service.dependencies, 'reviewer', 'yard');
});

const people = () => service.dependencies.store.people!;
const anyone = () => service.anonymous.of(SessionService);
const sessionOf = (session: SessionToken) => service.inSession(session).of(SessionService);

type Begun = { readonly ceremony: string; readonly optionsJson: string };
const asked = ({ optionsJson }: Begun) =>
  JSON.parse(optionsJson) as PasskeyCeremony & { readonly person: { readonly name: string }; readonly known: string[] };

/** The request that ends a ceremony with the answer of a passkey. */
const answerTo = (begun: Begun, answer: Omit<Partial<Answer>, 'challenge'> & { readonly challenge?: string } = {}) => ({
  ceremony: begun.ceremony,
  responseJson: JSON.stringify({ id: 'k', challenge: asked(begun).challenge, ...answer }),
});

const addPasskey = (id: string, counter = 0) =>
  people().addPasskey({
    id,
    personId: member.personId,
    publicKey: Uint8Array.of(1),
    counter,
    transports: [],
    name: 'phone',
    timeCreated: 0,
  });

describe('a log-in by passkey', () => {
  it('asks for this host, with another challenge each time, and gives the session of the person', async () => {
    await addPasskey('k');
    const begun = await anyone().beginPasskeyLogIn({});
    expect(asked(begun)).toMatchObject({ origin: sessionOrigin, rpId: 'data.example' });
    expect(asked(await anyone().beginPasskeyLogIn({})).challenge).not.toBe(asked(begun).challenge);
    await anyone().finishPasskeyLogIn(answerTo(begun));
    expect(service.cookies).toEqual([expect.any(String)]);
    const session = { token: service.cookies[0]!, origin: sessionOrigin };
    expect((await sessionOf(session).getSession({})).membership!.id).toBe(member.id);
  });

  it('is ended once, within five minutes, where it was begun', async () => {
    await addPasskey('k');
    const { finishPasskeyLogIn } = anyone();
    const begun = await anyone().beginPasskeyLogIn({});
    origin = 'https://other.example';
    await expect(finishPasskeyLogIn(answerTo(begun))).rejects.toThrow(/not begun here/);
    origin = sessionOrigin;
    const next = await anyone().beginPasskeyLogIn({});
    await finishPasskeyLogIn(answerTo(next));
    await expect(finishPasskeyLogIn(answerTo(next))).rejects.toThrow(/ended before/);
    const late = await anyone().beginPasskeyLogIn({});
    service.time.now += 5 * 60e6 + 1e6;
    await expect(finishPasskeyLogIn(answerTo(late))).rejects.toThrow(/longer than five minutes/);
    await expect(finishPasskeyLogIn({ ceremony: 'made up', responseJson: '{}' })).rejects.toThrow(/not begun here/);
  });

  it('takes no ceremony that was begun for something else', async () => {
    await addPasskey('k');
    const session = await logMemberIn(service.dependencies, member);
    const registration = await sessionOf(session).beginPasskeyRegistration({});
    await expect(anyone().finishPasskeyLogIn(answerTo(registration))).rejects.toThrow(/not begun here/);
    const logIn = await anyone().beginPasskeyLogIn({});
    await expect(sessionOf(session).finishPasskeyRegistration(answerTo(logIn))).rejects.toThrow(/not begun here/);
  });

  it.each([
    ['of a passkey that is not known', { id: 'other' }],
    ['to another challenge', { challenge: 'other' }],
    ['that names no passkey', { id: undefined }],
  ])('refuses an answer %s, always in the same words', async (_, answer) => {
    await addPasskey('k');
    const call = anyone().finishPasskeyLogIn(answerTo(await anyone().beginPasskeyLogIn({}), answer as Partial<Answer>));
    await expect(call).rejects.toThrow(/This passkey is not known here, or its answer does not fit/);
    expect(service.cookies).toEqual([]);
  });

  it('refuses a person who is a member no more', async () => {
    await addPasskey('k');
    await people().removeMember(member.id);
    const begun = await anyone().beginPasskeyLogIn({});
    expect(await codeOf(anyone().finishPasskeyLogIn(answerTo(begun)))).toBe('Unauthenticated');
  });

  it.each([
    [0, 0, 'ok'],
    [0, 1, 'ok'],
    [7, 8, 'ok'],
    [7, 7, 'Unauthenticated'],
    [7, 6, 'Unauthenticated'],
    [7, 0, 'Unauthenticated'],
  ])('with a counter that was %i and is %i: %s', async (was, is, code) => {
    await addPasskey('k', was);
    const begun = await anyone().beginPasskeyLogIn({});
    expect(await codeOf(anyone().finishPasskeyLogIn(answerTo(begun, { counter: is })))).toBe(code);
    expect((await people().getPasskey('k'))!.counter).toBe(code === 'ok' ? is : was);
  });

  it('ends the session before it in the same browser, and takes an invitation along', async () => {
    await addPasskey('k');
    const before = await logMemberIn(service.dependencies, member);
    const place = { organizationId: 'b', locationId: null, partId: null, role: 'owner' } as const;
    const { token } = await createInvitation(service.dependencies, { ...place, name: '', email: '', invitedBy: '' });
    const begun = await sessionOf(before).beginPasskeyLogIn({});
    const wrong = sessionOf(before).finishPasskeyLogIn({ ...answerTo(begun), invitationToken: 'none' });
    expect(await codeOf(wrong)).toBe('NotFound');
    const next = await sessionOf(before).beginPasskeyLogIn({});
    await sessionOf(before).finishPasskeyLogIn({ ...answerTo(next), invitationToken: token });
    const session = { token: service.cookies[0]!, origin: sessionOrigin };
    expect((await sessionOf(session).getSession({})).membership).toMatchObject({ organizationId: 'b', role: 'owner' });
    expect((await sessionOf(before).getSession({})).person).toBeUndefined();
  });
});

describe('a passkey', () => {
  it('is made by who is logged in, beside those that they have', async () => {
    await addPasskey('old');
    const session = await logMemberIn(service.dependencies, member);
    const begun = await sessionOf(session).beginPasskeyRegistration({});
    expect(asked(begun)).toMatchObject({ known: ['old'], person: { name: member.person.name } });
    await sessionOf(session).finishPasskeyRegistration(answerTo(begun));
    expect(await people().getPasskey('k')).toMatchObject({
      personId: member.personId,
      name: 'Passkey of 2026-03-11',
      timeCreated: service.time.now,
    });
    expect(service.cookies).toEqual([]);
  });

  it('is made by nobody who is not logged in, or was so more than 15 minutes ago', async () => {
    expect(await codeOf(anyone().beginPasskeyRegistration({}))).toBe('Unauthenticated');
    const session = await logMemberIn(service.dependencies, member);
    service.time.now += 15 * 60e6;
    const begun = await sessionOf(session).beginPasskeyRegistration({});
    service.time.now += 1e6;
    expect(await codeOf(sessionOf(session).beginPasskeyRegistration({}))).toBe('FailedPrecondition');
    expect(await codeOf(sessionOf(session).finishPasskeyRegistration(answerTo(begun)))).toBe('FailedPrecondition');
    expect(await people().getPasskey('k')).toBeNull();
  });

  it('is not made by an answer to another challenge, nor for another person than it was begun for', async () => {
    const session = await logMemberIn(service.dependencies, member);
    const begun = await sessionOf(session).beginPasskeyRegistration({});
    expect(await codeOf(sessionOf(session).finishPasskeyRegistration(answerTo(begun, { challenge: 'x' })))).toBe(
      'InvalidArgument',
    );
    const other = await logMemberIn(service.dependencies, await addMember(service.dependencies, 'owner'));
    const stolen = await sessionOf(session).beginPasskeyRegistration({});
    expect(await codeOf(sessionOf(other).finishPasskeyRegistration(answerTo(stolen)))).toBe('InvalidArgument');
    const place = { organizationId: 'a', locationId: null, partId: null, role: 'owner' } as const;
    const invited = { ...place, name: 'Ada', email: '', invitedBy: '' };
    const { token: invitationToken } = await createInvitation(service.dependencies, invited);
    const own = await sessionOf(session).beginPasskeyRegistration({});
    const joining = sessionOf(session).finishPasskeyRegistration({ ...answerTo(own), invitationToken });
    expect(await codeOf(joining)).toBe('InvalidArgument');
    expect(await people().getPasskey('k')).toBeNull();
  });

  it('is made with an invitation for a new person, also in a browser where somebody else is logged in', async () => {
    const place = { organizationId: 'a', locationId: null, partId: null, role: 'annotator' } as const;
    const invited = { ...place, name: 'Ada', email: 'ada@example.org', invitedBy: '' };
    const { token } = await createInvitation(service.dependencies, invited);
    const session = await logMemberIn(service.dependencies, member);
    const begun = await sessionOf(session).beginPasskeyRegistration({ invitationToken: token, name: ' Ada L ' });
    expect(asked(begun)).toMatchObject({ known: [], person: { name: 'Ada L' } });
    const { finishPasskeyRegistration } = sessionOf(session);
    expect(await codeOf(finishPasskeyRegistration(answerTo(begun)))).toBe('InvalidArgument'); // without the invitation
    const next = await sessionOf(session).beginPasskeyRegistration({ invitationToken: token, name: '' });
    await finishPasskeyRegistration({ ...answerTo(next), invitationToken: token, name: '' });
    const made = (await people().getPasskey('k'))!;
    expect(made.personId).not.toBe(member.personId);
    const shown = await sessionOf({ token: service.cookies.at(-1)!, origin: sessionOrigin }).getSession({});
    expect(shown.person).toMatchObject({ id: made.personId, name: 'Ada', email: 'ada@example.org' });
    expect(await codeOf(sessionOf(session).beginPasskeyRegistration({ invitationToken: token }))).toBe('NotFound');
  });
});

it.each([
  ['https://data.example:8443', 'data.example'],
  ['http://localhost:8080', 'localhost'],
  ['http://bench.localhost', 'bench.localhost'],
  ['http://notlocalhost', null],
  ['https://192.0.2.7', null],
  ['https://[2001:db8::1]', null],
  ['https://7.example', '7.example'],
])('has the domain of %s: %s', (at, domain) => {
  expect(passkeyDomain(at)).toBe(domain);
});

it.each(['http://data.example', 'https://192.0.2.7'])('is not offered at %s', async (at) => {
  origin = at;
  await expect(anyone().beginPasskeyLogIn({})).rejects.toThrow(
    `names with https, and for localhost; this server is ${at}`,
  );
});
