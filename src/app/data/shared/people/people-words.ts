import { timestampMs, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { Membership } from '../../../../gen/sightglass/people/v1/people_pb.ts';
import { roles } from '../../../../data-service/face/accounts.ts';
import { minuteText } from '../../../kit/words/figures.ts';

/** A role as a title: "Owner". */
export const roleTitle = (role: string): string => role.slice(0, 1).toUpperCase() + role.slice(1);

/** What a role may do, in a line. */
export const roleMeanings = {
  annotator: 'sees the data, draws on the images assigned to them',
  reviewer: 'draws on all images, assigns, accepts and rejects',
  operator: 'also uploads, builds datasets, queries',
  owner: 'also deletes data, and says who may do what',
} as const satisfies Record<(typeof roles)[number], string>;

export const roleOptions = roles.map((role) => ({ value: role, text: roleTitle(role) }));

type NamedPlace = Pick<Membership, 'locationId' | 'locationName' | 'partId' | 'partName'>;

/** The place of a membership after its organization: ", only Yard"; '': the whole organization. */
export function placeWords({ locationId, locationName, partId, partName }: NamedPlace): string {
  const place = partName || partId || locationName || locationId;
  return place === '' ? '' : `, only ${place}`;
}

/** At most two letters that stand for a person: "AL". */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], ...(words.length > 1 ? [words.at(-1)] : [])].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toUpperCase() || '?';
}

/** When something happened, in UTC, to the minute; `never` where it has not happened. */
export const momentText = (time: Timestamp | undefined, never: string): string =>
  time ? `${minuteText(timestampMs(time))} UTC` : never;
