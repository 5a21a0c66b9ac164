/** The stages of a query (docs/decisions/queries-in-workers.md); $lookup, $out and the like reach beyond the organization's data. */
export const allowedStages: ReadonlySet<string> = words(`
  addFields bucket bucketAuto count densify fill geoNear group limit match project redact replaceRoot replaceWith
  sample set setWindowFields skip sort sortByCount unset unwind`);

/** Operators that run a text of the caller's as a program. */
export const scriptOperators: ReadonlySet<string> = words('where function accumulator');

const queryOperators = `
  and or nor not expr eq ne gt gte lt lte in nin all elemMatch size exists type mod regex options
  bitsAllClear bitsAllSet bitsAnyClear bitsAnySet`;

const expressionOperators = `
  abs acos acosh add allElementsTrue and anyElementTrue arrayElemAt arrayToObject asin asinh atan atan2 atanh
  bitAnd bitNot bitOr bitXor ceil cmp concat concatArrays cond convert cos cosh
  dateAdd dateDiff dateFromParts dateFromString dateSubtract dateToParts dateToString dateTrunc
  dayOfMonth dayOfWeek dayOfYear degreesToRadians divide eq exp filter first firstN floor getField gt gte hour
  ifNull in indexOfArray indexOfBytes isArray isNumber isoDayOfWeek isoWeek isoWeekYear last lastN let literal ln
  log log10 lt lte ltrim map maxN median mergeObjects millisecond minN minute mod month multiply ne not
  objectToArray or percentile pow radiansToDegrees rand range reduce regexFind regexFindAll regexMatch replaceAll
  replaceOne reverseArray round rtrim sampleRate second setDifference setEquals setField setIntersection setIsSubset
  setUnion sigmoid sin sinh size slice sortArray split sqrt strLenBytes strLenCP strcasecmp substr substrBytes
  substrCP subtract switch tan tanh toBool toDate toDecimal toDouble toInt toLong toLower toString toUpper trim trunc
  type unsetField week year zip`;

const accumulators = `
  addToSet avg bottom bottomN count covariancePop covarianceSamp first firstN last lastN max maxN median mergeObjects
  min minN percentile push stdDevPop stdDevSamp sum top topN`;

const windowOperators = `
  denseRank derivative documentNumber expMovingAvg integral linearFill locf minMaxScaler rank shift`;

/** Every name with a dollar that may stand inside a stage. */
export const allowedOperators: ReadonlySet<string> = words(
  [queryOperators, expressionOperators, accumulators, windowOperators].join(' '),
);

function words(text: string): Set<string> {
  return new Set(
    text
      .trim()
      .split(/\s+/)
      .map((word) => `$${word}`),
  );
}
