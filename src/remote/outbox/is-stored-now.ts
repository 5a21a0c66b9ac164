/**
 * Whether the answer to an upload says that this call has stored all of it: only then nothing need be asked.
 * @param answer headers of Sightglass's answers, which hosts of others lack
 */
export const isStoredNow = (answer: Headers): boolean => answer.get('sightglass-stored') === 'now';
