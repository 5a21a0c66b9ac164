/**
 * Public functions whose comments are not complete. The list may only become shorter: the test compares it with the code.
 */
export const undocumented: readonly string[] = [
];
