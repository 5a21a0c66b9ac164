/** The organization, location and part of a client. */
export interface Home {
  readonly organizationId: string;
  readonly locationId: string;
  readonly partId: string;
}

/** A home on a served data service, with the key of an owner. */
export interface ServedHome extends Home {
  readonly origin: string;
  readonly keyId: string;
  readonly key: string;
}

/** A unique name that starts with a word. */
export const uniqueName = (word: string): string => `${word}-${crypto.randomUUID().slice(0, 8)}`;

/** The start time, read only once, so that a scenario uploads and later expects the same times. */
const startedMs = Date.now();

/** The start of the minute a number of minutes ago. Use recent times, because queries cover "the last year" and hot storage less. */
export const minutesAgo = (minutes: number): Date => new Date((Math.floor(startedMs / 60_000) - minutes) * 60_000);

export const minutesAfter = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * 60_000);

/** Ten minutes past an hour, three hours ago: windows of whole hours after it are already closed. */
export const fewHoursAgo = (): Date => new Date((Math.floor(startedMs / 3_600_000) - 3) * 3_600_000 + 600_000);

export const someBytes = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 251);

/** Compares bytes; faster than Vitest's matchers. */
export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

export const sensor = 'rdk:component:sensor';
export const camera = 'rdk:component:camera';
