import { baseNameOf } from '../item/inner-path.ts';
import { joinGroups } from '../item/group-pictures.ts';
import { groupNearDuplicates } from '../health/near-duplicates.ts';

/** A picture of a set whose figures have intervals, or are compared. */
export interface PictureOfSet {
  /** see `recordedGroup`; '': nothing is recorded */
  readonly recorded: string;
  readonly name: string;
  /** see `pictureHash`; null: nobody looked at the picture, or it cannot be decoded */
  readonly hash: bigint | null;
}

/** How it is known which pictures of a set depend on each other. */
export type DependenceBasis =
  /** each picture has a sequence, or camera and time */
  | 'recorded'
  /** some pictures have none, and few of these look alike */
  | 'pictures'
  /** some pictures have none, and somebody says that each of these shows another scene or time */
  | 'stated'
  /** nothing is recorded of pictures of which many look alike, as frames of one video do */
  | 'alike'
  /** nothing is recorded of pictures that were not looked at */
  | 'unseen';

/** Which pictures depend on each other. */
export interface Dependence {
  /** group of each picture: equal for those that depend on each other; '': the picture is on its own */
  readonly groups: readonly string[];
  readonly basis: DependenceBasis;
  /** how many pictures look like another one, and count with it */
  readonly alikeCount: number;
}

/** Bits in which the hashes of any two frames of one scene differ at most. */
const sceneBits = 8;
/** The same of pictures whose names follow each other: of these there are few pairs, so that more is no chance. */
const neighbourBits = 16;
/** From this share of pictures that look like others on, they may be frames of few videos, which hashes do not part. */
const manyAlike = 1 / 4;
const minuteMs = 60_000;

/**
 * Names the pictures that a picture depends on by what is recorded: those of one sequence, or those that one camera
 * captured in one minute: neighbours in time show the same scene in the same light.
 *
 * @param sequence name of the video or burst that it is of; null: none
 * @param timeMs when it was captured, in ms since 1970; null: unknown
 * @param source camera that captured it; null: unknown
 * @returns equal for pictures that depend on each other; '': nothing is recorded
 * @example
 * recordedGroup(null, 90_000, 'cam'); // => 'minute 1 of cam'
 */
export function recordedGroup(sequence: string | null, timeMs: number | null, source: string | null): string {
  if (sequence !== null) return `sequence ${sequence}`;
  // Without a camera the time is that of a file: files that were copied together are not captured together.
  if (timeMs === null || source === null) return '';
  return `minute ${Math.floor(timeMs / minuteMs)} of ${source}`;
}

/**
 * Finds which pictures depend on each other, the one rule for intervals, comparisons, certificates and drift, on the page
 * and in the terminal: what is recorded counts; where nothing is, pictures that look alike are one; where many do, or
 * nobody looked, it is not known, and somebody has to say it.
 *
 * The distances were measured on 64 photographs, whose 2,016 pairs differ in 14 bits or more, and one in a hundred in 20
 * or less, and on a fixed camera's video, in which frames that follow each other differ in at most 20 bits at one frame a
 * second, nine in ten in 17, in at most 16 at two, and in at most 11 at ten. The photographs are 64 units, and the video
 * at any of these rates is 'alike'.
 *
 * @param pictures of the whole set
 * @param isStated somebody says that each picture of which nothing is recorded is of another scene or time
 * @returns groups, and how they are known
 * @example
 * const seen = (name, hash) => ({ recorded: '', name, hash });
 * const pictures = [seen('a', 0n), seen('b', 2n ** 40n - 1n), seen('c', 1n), seen('d', 2n ** 64n - 1n), seen('e', 0xffffff0000000000n)];
 * const { groups, basis } = dependentPictures(pictures, false);
 * [groups[0] === groups[2], groups[1], basis]; // => [true, '', 'alike']
 */
export function dependentPictures(pictures: readonly PictureOfSet[], isStated: boolean): Dependence {
  const groups = pictures.map(({ recorded }) => recorded);
  const open = pictures.flatMap(({ recorded, name, hash }, at) => (recorded === '' ? [{ at, name, hash }] : []));
  if (open.length === 0) return { groups, basis: 'recorded', alikeCount: 0 };
  if (isStated) return { groups, basis: 'stated', alikeCount: 0 };
  const alike = lookAlike(open);
  for (const [number, group] of alike.entries()) for (const at of group) groups[Number(at)] = `alike ${number}`;
  const alikeCount = alike.flat().length;
  const isMuch = alikeCount >= manyAlike * open.length;
  const basis = open.some(({ hash }) => hash === null) ? 'unseen' : isMuch ? 'alike' : 'pictures';
  return { groups, basis, alikeCount };
}

/** Groups of places of pictures that look alike. */
function lookAlike(open: readonly (Pick<PictureOfSet, 'name' | 'hash'> & { readonly at: number })[]): string[][] {
  const hashed = open.flatMap(({ at, name, hash }) => (hash === null ? [] : [{ contentId: String(at), name, hash }]));
  const inOrder = new Intl.Collator('en', { numeric: true });
  const byName = hashed.toSorted((a, b) => inOrder.compare(baseNameOf(a.name), baseNameOf(b.name)));
  const neighbours = byName.slice(1).map((picture, before) => [byName[before]!, picture]);
  return joinGroups(
    groupNearDuplicates(hashed, sceneBits),
    neighbours.filter(([a, b]) => differingBits(a!.hash, b!.hash) <= neighbourBits).map((pair) => pair.map(({ contentId }) => contentId)), // prettier-ignore
  );
}

function differingBits(a: bigint, b: bigint): number {
  let count = 0;
  for (let rest = a ^ b; rest > 0n; rest &= rest - 1n) count++;
  return count;
}

/**
 * Names the group of each picture, for a set that is compared with another one, or kept.
 *
 * @param dependence of the pictures
 * @param pictures in the same order
 * @returns equal for those that depend on each other; '': it is not known which others the picture depends on
 * @example
 * groupNames({ groups: ['', ''], basis: 'pictures' }, [{ recorded: '' }, { recorded: '' }]); // => ['picture 0', 'picture 1']
 */
export const groupNames = (
  { groups, basis }: Pick<Dependence, 'groups' | 'basis'>,
  pictures: readonly Pick<PictureOfSet, 'recorded'>[],
): readonly string[] =>
  groups.map((group, at) => (isKnown({ basis }) ? group || `picture ${at}` : pictures[at]!.recorded));

/**
 * @param dependence how it is known
 * @returns whether it is known at all; where it is not, nothing is certified, and no shift told from chance
 * @example [isKnown({ basis: 'stated' }), isKnown({ basis: 'alike' })]; // => [true, false]
 */
export const isKnown = ({ basis }: Pick<Dependence, 'basis'>): boolean => knownBasis({ basis }) !== null;

/**
 * @param dependence how it is known
 * @returns the same; null: it is not known
 * @example knownBasis({ basis: 'unseen' }); // => null
 */
export const knownBasis = ({ basis }: Pick<Dependence, 'basis'>): 'recorded' | 'pictures' | 'stated' | null =>
  basis === 'alike' || basis === 'unseen' ? null : basis;
