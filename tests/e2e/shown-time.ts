/** A time of ISO 8601 as the page's tables write it: "2026-03-28 23:50:12.345 UTC". */
export const shownTime = (iso: string): string => iso.replace('T', ' ').replace('Z', ' UTC');
