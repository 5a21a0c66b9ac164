/** Converts an ISO 8601 time to the format of the page's tables: "2026-03-28 23:50:12.345 UTC". */
export const shownTime = (iso: string): string => iso.replace('T', ' ').replace('Z', ' UTC');
