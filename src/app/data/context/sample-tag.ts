/** Marks the sample photographs, and the sequence of them. */
export const sampleTag = 'sample-photograph';
