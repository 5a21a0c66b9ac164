const defaultLimit = 50;
const maxWithBytes = 100;
const maxWithoutBytes = 1000;

/** The number of entries in a page: 0 means 50; larger requests get the largest page. */
export const pageLimit = (limit: bigint, withBytes: boolean): number =>
  limit === 0n ? defaultLimit : Math.min(Number(limit), withBytes ? maxWithBytes : maxWithoutBytes);
