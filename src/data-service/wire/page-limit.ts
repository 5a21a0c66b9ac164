const defaultLimit = 50;
const maxWithBytes = 100;
const maxWithoutBytes = 1000;

/** How many entries a page has: 0 asks for 50; beyond what a page may have, that. */
export const pageLimit = (limit: bigint, withBytes: boolean): number =>
  limit === 0n ? defaultLimit : Math.min(Number(limit), withBytes ? maxWithBytes : maxWithoutBytes);
