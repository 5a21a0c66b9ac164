import { deserialize, serialize } from 'node:v8';
import type { DataStore } from '../../src/data-service/ports/data-store.ts';
import { anonymousReceipt, binaryRecord } from './data-store/captures.ts';
import { allTasks, labelTask } from './data-store/labels.ts';
import { invitationOf, join, membershipOf, personOf } from './data-store/people.ts';

const parts = ['part', 'arm'];
const imageOfPart = (partId: string): string => `of-${partId}`;
/** More than a migration reads at once. */
const taskCount = 1003;

/** Adds a key, a member, an invitation, and tasks of images of two parts. */
export async function addEntriesOfParts({ access, binary, labels, people }: DataStore): Promise<void> {
  await access.createOrganization({ id: 'org', name: 'Org', timeCreated: 1 });
  const secret = { algorithm: 'pbkdf2-sha256', iterations: 1, salt: Uint8Array.of(1), hash: Uint8Array.of(2) } as const;
  const place = { organizationId: 'org', locationId: 'loc', partId: null };
  await access.createKey({ ...place, id: 'k', name: 'key', role: 'owner', secret, timeCreated: 1 });
  await people!.createInvitation(invitationOf('i', place));
  await join(people!, personOf('ada'), membershipOf('ada', place));
  await binary.insert(
    parts.map((partId) => binaryRecord(imageOfPart(partId), { partId })),
    anonymousReceipt(),
  );
  await labels.addTasks(
    Array.from({ length: taskCount }, (_, n) => {
      const partId = parts[n % 2]!;
      const assignee = { kind: 'person', id: `${n}`, name: '' };
      return labelTask(`t${n}`, { binaryDataId: imageOfPart(partId), partId, assignee, isBlind: true });
    }),
  );
}

/** What `addEntriesOfParts` has added, as it is now. */
export async function entriesOfParts({ access, labels, people }: DataStore) {
  return {
    key: await access.getKey('k'),
    member: await people!.getMember('member-ada'),
    invitations: await people!.listInvitations({ organizationId: 'org' }),
    tasks: await labels.listTasks(allTasks, null, 2000),
    assigned: await labels.assignments('org', { kind: 'person', id: '7' }, parts.map(imageOfPart)),
    ofArm: await labels.listTasks({ ...allTasks, partId: 'arm' }, null, 2000),
  };
}

/** An entry as a version without parts has kept it. */
export function withoutPart(entry: unknown): Uint8Array {
  const { partId: _, ...others } = deserialize(entry as Uint8Array) as { readonly partId: unknown };
  return serialize(others);
}

/** The tables whose entries have got a part. */
export const tablesWithParts = ['keys', 'members', 'invitations', 'label_tasks'];
