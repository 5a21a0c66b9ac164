/** Where a client's data lies. */
export interface Home {
  readonly organizationId: string;
  readonly locationId: string;
  readonly partId: string;
}

/** A home on a server, with the key of an owner. */
export interface ServedHome extends Home {
  readonly origin: string;
  readonly keyId: string;
  readonly key: string;
}

/** A name that nothing else in this home has. */
export const uniqueName = (word: string): string => `${word}-${crypto.randomUUID().slice(0, 8)}`;

/** Read once: what a scenario uploads and what it expects later are the same times, whatever the clock passed meanwhile. */
const startedMs = Date.now();

/** The beginning of the minute that was so many minutes ago: recent enough for "the last year", and for hot storage. */
export const minutesAgo = (minutes: number): Date => new Date((Math.floor(startedMs / 60_000) - minutes) * 60_000);

export const minutesAfter = (time: Date, minutes: number): Date => new Date(time.getTime() + minutes * 60_000);

/** Ten minutes into an hour that is over since more than an hour: windows of whole hours have closed after it. */
export const fewHoursAgo = (): Date => new Date((Math.floor(startedMs / 3_600_000) - 3) * 3_600_000 + 600_000);

export const someBytes = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 251);

/** Quicker than a matcher, which walks over every byte. */
export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

export const sensor = 'rdk:component:sensor';
export const camera = 'rdk:component:camera';
