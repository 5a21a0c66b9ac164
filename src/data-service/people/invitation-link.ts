/**
 * The page at which an invitation is taken. Its token stands behind the #, which browsers send to nobody, so that no log has it.
 * @param origin of the server, as 'https://data.example:8080'
 * @param token of the invitation
 * @returns a URL
 * @example
 * linkOfInvitation('https://data.example', 'x1'); // => 'https://data.example/#/invitation/x1'
 */
export const linkOfInvitation = (origin: string, token: string): string => `${origin}/#/invitation/${token}`;
