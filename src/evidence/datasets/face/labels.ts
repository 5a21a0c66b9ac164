// Label schemes, and labels mapped from one to another.

export {
  namesAcross,
  pairFault,
  pairsInForce,
  pairsText,
  suggestPairs,
  truthNames,
  unpairedLabels,
} from '../label-schemes/label-mapping.ts';
export { type LabelPair, plainLabel, type SchemeLabel } from '../label-schemes/label-scheme.ts';
export { type SchemeFormat, schemeFormats, writeLabelScheme } from '../label-schemes/write-label-scheme.ts';
