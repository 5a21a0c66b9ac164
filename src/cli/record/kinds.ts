import { parseByteSize } from '../../server/storage/byte-size.ts';
import { parseDuration } from './duration.ts';
import { UsageError } from './usage-error.ts';

/** What the value of an option may be. */
export interface Kind<T> {
  /** @param option its name, for messages @throws UsageError */
  read(value: string, option: string): T;
  /** "" is a value, too */
  readonly mayBeEmpty?: true;
  /** all that it may be, where that is a list */
  readonly choices?: readonly string[];
}

/** A kind whose refusal says what is wanted. @param read undefined: it is none of these */
export const kind = <T>(wants: string, read: (value: string) => T | undefined): Kind<T> => ({
  read(value, option) {
    const found = read(value);
    if (found === undefined) throw new UsageError(`--${option} wants ${wants}, got "${value}".`);
    return found;
  },
});

export const text: Kind<string> = { read: (value) => value };
export const textOrNone: Kind<string> = { ...text, mayBeEmpty: true };

export const oneOf = <const Name extends string>(
  names: readonly Name[],
  wants = `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`,
): Kind<Name> => ({ ...kind(wants, (value) => names.find((name) => name === value)), choices: names });

/** A number between bounds; each of them counts unless it is said to be outside. */
export const number = (wants: string, isFit: (value: number) => boolean): Kind<number> =>
  kind(wants, (value) => (value.trim() !== '' && isFit(Number(value)) ? Number(value) : undefined));

/** 0 to 1, both counted. */
export const share = number('a number from 0 to 1', (value) => value >= 0 && value <= 1);

/** A whole number, with or without a sign. */
export const integer = kind('a whole number', (value) => (/^[+-]?\d+$/.test(value) ? Number(value) : undefined));

/** A whole number that is not smaller. */
export const integerFrom = (least: number): Kind<number> => ({
  read(value, option) {
    const found = integer.read(value, option);
    if (found < least) throw new UsageError(`--${option} wants a whole number, at least ${least}, got "${value}".`);
    return found;
  },
});

/** How long, in ms, as of `90s`, `1h` or `30d`. */
export const duration = kind(
  'how long, in s, m, h or d, as 90s, 1h or 30d',
  (value) => parseDuration(value, ['s', 'm', 'h', 'd']) ?? undefined,
);

/** Bytes, as of `500MB`. */
export const byteSize = kind('a size, as 500MB or 1.5TB', (value) => parseByteSize(value) ?? undefined);

export const timeWords = 'a day as 2026-03-11 (UTC) or a time as 2026-03-11T05:00:00Z';

/** A day or a time, in ms since 1970. */
export const time = kind(timeWords, (value) => {
  const [, day = ''] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(value) ?? [];
  const [ms, dayMs] = [Date.parse(value), Date.parse(day)];
  // Date.parse reads the 30th of February as the 2nd of March
  const isDay = !Number.isNaN(ms + dayMs) && new Date(dayMs).toISOString().startsWith(day);
  return isDay ? ms : undefined;
});

/** Where people and clients reach a server. */
export const origin = kind('an origin as https://data.example.com', (value) => {
  // older Nodes, which are told that they are too old only later, have no URL.parse
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, '');
  return isOrigin ? url.origin : undefined;
});
