import type { Certificate, CheckFinding } from './certificate.ts';

/** A comparison of later images with those of a reference, as far as a certificate is concerned. */
export interface ImageDrift {
  /** of the reference's images; null: the reference does not tell them */
  readonly imagesSha256: string | null;
  /** ISO 8601, UTC */
  readonly comparedAt: string;
  /** what a person calls the later images: a dataset, a filter, a folder */
  readonly later: string;
  readonly laterCount: number;
  /** whether the later images are of the reference's camera; null: nothing records it */
  readonly isSameCamera: boolean | null;
  /** false: there are too few images for any shift to be told from chance */
  readonly canTell: boolean;
  /** a part of a sentence each; none: nothing was found to have shifted */
  readonly shifted: readonly string[];
}

/** Says in which member a value is no comparison; null: it is one. */
function lackOf(value: Partial<Record<keyof ImageDrift, unknown>>): keyof ImageDrift | null {
  const { imagesSha256: hash, comparedAt, later, laterCount, isSameCamera, canTell, shifted } = value;
  if (hash !== null && !(typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))) return 'imagesSha256';
  if (typeof comparedAt !== 'string' || !(new Date(comparedAt).getTime() > 0)) return 'comparedAt';
  if (typeof later !== 'string') return 'later';
  if (!Number.isSafeInteger(laterCount) || (laterCount as number) < 1) return 'laterCount';
  if (isSameCamera !== null && typeof isSameCamera !== 'boolean') return 'isSameCamera';
  if (typeof canTell !== 'boolean') return 'canTell';
  return Array.isArray(shifted) && shifted.every((one) => typeof one === 'string') ? null : 'shifted';
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
  const members = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<keyof ImageDrift, unknown>
  >;
  const lack = lackOf(members);
  if (lack)
    throw new Error(
      `It is no comparison of images: its "${lack}" is missing or of another kind. Give what "sightglass drift" printed.`,
    );
  const { imagesSha256, comparedAt, later, laterCount, isSameCamera, canTell, shifted } = members as ImageDrift;
  return { imagesSha256, comparedAt, later, laterCount, isSameCamera, canTell, shifted };
}

/**
 * Whether a comparison speaks of a certificate: its reference has the very images of the evidence, and its later images
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
 * Says what comparisons make of a certificate: the newest that concerns it decides.
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
  const newest = drift
    ?.filter((one) => concerns(one, certificate))
    .sort((a, b) => new Date(b.comparedAt).getTime() - new Date(a.comparedAt).getTime())[0];
  if (!newest) return { about, says: 'unchecked', words: whyNone(certificate, drift) };
  const { later, laterCount, comparedAt, shifted, canTell, isSameCamera } = newest;
  const images = `${laterCount} ${laterCount === 1 ? 'image' : 'images'} of ${later}, compared on ${comparedAt.slice(0, 10)}`;
  if (shifted.length > 0)
    return {
      about,
      says: 'differs',
      words: `Later images are no longer like those of ${dataset}: ${shifted.join('; ')} (${images}).`,
    };
  if (!canTell)
    return { about, says: 'unchecked', words: `Too few images were compared to tell a shift from chance: ${images}.` };
  const whose = isSameCamera === null ? '; nothing records that they are of the same camera' : '';
  return { about, says: 'holds', words: `No shift from the images of ${dataset} was found: ${images}${whose}.` };
}

function whyNone({ evidence }: Pick<Certificate, 'evidence'>, drift: readonly ImageDrift[] | undefined): string {
  const [one] = drift ?? [];
  if (!one) return 'Whether later images are still like those of the evidence was not checked.';
  const unchecked = 'so whether later images are still like them was not checked.';
  if (evidence.imagesSha256 === undefined)
    return `The certificate was made before certificates told their images apart, ${unchecked}`;
  if (one.imagesSha256 === null)
    return `The comparison is not one of later images with a reference that tells its images apart, ${unchecked}`;
  return one.imagesSha256 === evidence.imagesSha256
    ? `The later images are of another camera than those of ${evidence.dataset}, ${unchecked}`
    : `The reference has other images than ${evidence.dataset}, ${unchecked}`;
}
