/** What a page aims to stay below: common clients receive at most 32 MiB a message. */
export const answerBytes = 30 * 2 ** 20;
