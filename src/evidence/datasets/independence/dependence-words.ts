import { isKnown, type Dependence } from './dependent-pictures.ts';

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Says on how many independent units figures stand, and how that is known.
 *
 * @param dependence of the images
 * @param images how many there are
 * @param units how many independent units they are
 * @returns the part of a sentence
 * @example
 * unitsText({ basis: 'pictures', alikeCount: 0 }, 40, 40); // => '40 independent images, no two of which look alike'
 */
export function unitsText(
  { basis, alikeCount }: Pick<Dependence, 'basis' | 'alikeCount'>,
  images: number,
  units: number,
): string {
  const independent = units === images ? counted(units, 'independent image') : counted(units, 'independent unit');
  if (!isKnown({ basis }))
    return `${counted(images, 'image')}, ${counted(units, 'unit')} at most: it is not known which are independent`;
  const recorded = units < images ? ', as images of one sequence, or of one camera and minute, count as one' : '';
  if (basis === 'recorded') return `${independent}${recorded}`;
  if (basis === 'stated') return `${independent}${recorded}: somebody says that each shows another scene or time`;
  if (alikeCount === 0) return `${independent}${recorded || ', no two of which look alike'}`;
  return `${independent}, as images that look alike, or belong to one sequence, or to one camera and minute, count as one`;
}

/**
 * Says why it is not known which images are independent.
 *
 * @param dependence of the images
 * @returns a sentence or two; '': it is known
 * @example dependenceDoubt({ basis: 'stated', alikeCount: 0 }); // => ''
 */
export function dependenceDoubt({ basis, alikeCount }: Pick<Dependence, 'basis' | 'alikeCount'>): string {
  if (isKnown({ basis })) return '';
  const why =
    basis === 'unseen'
      ? 'it was not looked whether they look alike'
      : `${counted(alikeCount, 'image')} look like another one, as frames of one video do`;
  return `It is not known which images are independent: nothing records their sequence, or their camera and time, and ${why}. Frames of one video go right or wrong together, so intervals may be too narrow and nothing is certified.`;
}

/** What to do in the terminal where it is not known. */
export const dependenceCure =
  'If each picture shows another scene or time, say so by --independent-frames; else give frames of one video a sequence, as by the tag sequence:NAME.';
