import type { Certificate, CheckFinding } from './certificate.ts';

/** A comparison of later images with those of a reference, as far as a certificate is concerned. */
export interface ImageDrift {
  /** `imagesSha256` of the reference's images; null: the reference does not record it, or the later images are its own */
  readonly imagesSha256: string | null;
  /** ISO 8601, UTC */
  readonly comparedAt: string;
  /** what a person calls the later images: a dataset, a filter, a folder */
  readonly later: string;
  readonly laterCount: number;
  /** whether the later images are of the reference's camera; null: nothing records it */
  readonly isSameCamera: boolean | null;
  /** when the newest of the later images was captured, ISO 8601 in UTC; null: nothing records it */
  readonly laterUntil: string | null;
  /** false: no shift can be told from chance, as there are too few images, or as they may depend on each other */
  readonly canTell: boolean;
  /** how often a comparison finds a shift where nothing changed, at most; above 0 and below 1 */
  readonly level: number;
  /** features that were not compared */
  readonly untested: readonly string[];
  /** a part of a sentence each; none: nothing was found to have shifted */
  readonly shifted: readonly string[];
  /** the features that shifted */
  readonly shiftedFeatures: readonly string[];
}

/** What comparisons lack that earlier versions made. */
const ofEarlierVersions = { laterUntil: null, level: 0.05, untested: [], shiftedFeatures: [] };

/** Says in which member a value is no comparison; null: it is one. */
function lackOf(value: Partial<Record<keyof ImageDrift, unknown>>): keyof ImageDrift | null {
  const { imagesSha256: hash, comparedAt, later, laterCount, isSameCamera, laterUntil, canTell, level } = value;
  if (hash !== null && !(typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))) return 'imagesSha256';
  const isTime = (text: unknown): boolean => typeof text === 'string' && new Date(text).getTime() > 0;
  if (!isTime(comparedAt)) return 'comparedAt';
  if (typeof later !== 'string') return 'later';
  if (!Number.isSafeInteger(laterCount) || (laterCount as number) < 1) return 'laterCount';
  if (isSameCamera !== null && typeof isSameCamera !== 'boolean') return 'isSameCamera';
  if (laterUntil !== null && !isTime(laterUntil)) return 'laterUntil';
  if (typeof canTell !== 'boolean') return 'canTell';
  if (!(typeof level === 'number' && level > 0 && level < 1)) return 'level';
  const areTexts = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === 'string');
  return (['untested', 'shifted', 'shiftedFeatures'] as const).find((name) => !areTexts(value[name])) ?? null;
}

/**
 * Reads a comparison that a page kept, or that `sightglass drift` printed.
 *
 * @param value parsed JSON
 * @returns the comparison
 * @throws Error naming the member that is missing or of another kind
 * @example
 * readImageDrift({ imagesSha256: 'x' }); // throws: its "imagesSha256"
 */
export function readImageDrift(value: unknown): ImageDrift {
  const given = typeof value === 'object' && value !== null ? value : {};
  const members: Partial<Record<keyof ImageDrift, unknown>> = { ...ofEarlierVersions, ...given };
  const lack = lackOf(members);
  if (lack)
    throw new Error(
      `It is not a comparison of images: its "${lack}" is missing or of another kind. Give what "sightglass drift" printed.`,
    );
  const { imagesSha256, comparedAt, later, laterCount, isSameCamera, laterUntil } = members as ImageDrift;
  const { canTell, level, untested, shifted, shiftedFeatures } = members as ImageDrift;
  const found = { canTell, level, untested, shifted, shiftedFeatures };
  return { imagesSha256, comparedAt, later, laterCount, isSameCamera, laterUntil, ...found };
}

/** Whether a comparison says that later images differ. */
const saysShift = ({ canTell, shifted }: ImageDrift): boolean => canTell && shifted.length > 0;

/**
 * Whether a comparison replaces an earlier one with the same reference. One that found a shift is replaced only by one that
 * could have found it, too: it has enough images, its level is no stricter, it tested every feature that had shifted, and
 * its images are not older.
 *
 * @param newer the comparison that was made later
 * @param earlier the other
 * @returns false: the earlier one still counts
 * @example
 * const drift = { canTell: true, level: 0.05, untested: [], shifted: [], shiftedFeatures: [], laterUntil: null };
 * replaces({ ...drift, canTell: false }, { ...drift, shifted: ['scores'], shiftedFeatures: ['score'] }); // => false
 */
export function replaces(newer: ImageDrift, earlier: ImageDrift): boolean {
  if (!saysShift(earlier)) return true;
  const isOlder =
    newer.laterUntil !== null &&
    earlier.laterUntil !== null &&
    new Date(newer.laterUntil).getTime() < new Date(earlier.laterUntil).getTime();
  const isTested = !earlier.shiftedFeatures.some((feature) => newer.untested.includes(feature));
  return newer.canTell && newer.level >= earlier.level && isTested && !isOlder;
}

/**
 * Whether a comparison says something of a certificate: its reference has the very images of the evidence, and its later images
 * are not known to be another camera's.
 *
 * @param drift a comparison
 * @param certificate any
 * @returns false: it says nothing of it
 * @example
 * concerns({ imagesSha256: null, isSameCamera: null }, { evidence: {} }); // => false
 */
export const concerns = (
  { imagesSha256, isSameCamera }: Pick<ImageDrift, 'imagesSha256' | 'isSameCamera'>,
  { evidence }: Pick<Certificate, 'evidence'>,
): boolean => imagesSha256 !== null && imagesSha256 === evidence.imagesSha256 && isSameCamera !== false;

/**
 * Says what follows for a certificate from comparisons: the newest one with a shift that no newer comparison replaces
 * decides, or else the newest one.
 *
 * @param certificate as it was read
 * @param drift comparisons of any images; undefined: none is at hand
 * @returns a finding; shifts make the certificate void
 * @example
 * driftFinding({ evidence: { dataset: 'Yard' } }, undefined).says; // => 'unchecked'
 */
export function driftFinding(
  certificate: Pick<Certificate, 'evidence'>,
  drift: readonly ImageDrift[] | undefined,
): CheckFinding {
  const about = 'drift';
  const { dataset } = certificate.evidence;
  const newestFirst = (drift ?? [])
    .filter((one) => concerns(one, certificate))
    .sort((a, b) => new Date(b.comparedAt).getTime() - new Date(a.comparedAt).getTime());
  const deciding =
    newestFirst.find((one, at) => saysShift(one) && !newestFirst.slice(0, at).some((newer) => replaces(newer, one))) ??
    newestFirst[0];
  if (!deciding) return { about, says: 'unchecked', words: whyNone(certificate, drift) };
  const { later, laterCount, comparedAt, shifted, canTell, isSameCamera } = deciding;
  const images = `${laterCount} ${laterCount === 1 ? 'image' : 'images'} of ${later}, compared on ${comparedAt.slice(0, 10)}`;
  if (!canTell) {
    const why = 'there are too few, or nothing says which of them depend on each other';
    return { about, says: 'unchecked', words: `A shift cannot be told from chance (${why}): ${images}.` };
  }
  if (shifted.length > 0)
    return {
      about,
      says: 'differs',
      words: `Later images are no longer like those of ${dataset}: ${shifted.join('; ')} (${images}).`,
    };
  const whose = isSameCamera === null ? '; nothing records that they are from the same camera' : '';
  return { about, says: 'holds', words: `No shift from the images of ${dataset} was found: ${images}${whose}.` };
}

function whyNone({ evidence }: Pick<Certificate, 'evidence'>, drift: readonly ImageDrift[] | undefined): string {
  const [one] = drift ?? [];
  if (!one) return 'Whether later images are still like those of the evidence was not checked.';
  const unchecked = 'so whether later images are still like them was not checked.';
  if (evidence.imagesSha256 === undefined)
    return `The certificate was made before certificates recorded their images, ${unchecked}`;
  if (one.imagesSha256 === null)
    return `The comparison is not one of later images with a reference that records its images, ${unchecked}`;
  return one.imagesSha256 === evidence.imagesSha256
    ? `The later images are from another camera than those of ${evidence.dataset}, ${unchecked}`
    : `The reference has other images than ${evidence.dataset}, ${unchecked}`;
}
