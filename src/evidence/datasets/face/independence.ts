// Pictures that depend on each other, and how that is said.

export { dependenceCure, dependenceDoubt, unitsText } from '../independence/dependence-words.ts';
export {
  type Dependence,
  dependentPictures,
  groupNames,
  isKnown,
  knownBasis,
  type PictureOfSet,
  recordedGroup,
} from '../independence/dependent-pictures.ts';
