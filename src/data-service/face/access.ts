// Who may do what: keys, sessions, roles, log-in.

export { createApiKey, verifyApiKey } from '../access/api-keys.ts';
export { type CountAttempt, countAttemptValue } from '../access/count-attempts.ts';
export { databaseUserName } from '../access/database-routes.ts';
export { replaceSecrets } from '../access/installation-secret.ts';
export { issueOneTimeToken, takeOneTimeToken } from '../access/one-time-token.ts';
export { requirementOf } from '../access/operation-roles.ts';
export { requirePlace } from '../access/place.ts';
export { principalKey } from '../access/principal.ts';
export { type NoteRefusedLogIn, noteRefusedLogInValue } from '../access/refused-log-in.ts';
export { scramIterations, scramSaltBytes } from '../access/scram-user.ts';
export {
  createSession,
  goesOn,
  sessionOf,
  type SessionToken,
  sessionTokenValue,
  setSessionCookieValue,
} from '../access/sessions.ts';
export { timingSafeEqual } from '../access/timing-safe-equal.ts';
export { type VerifyKey, verifyKeyValue } from '../access/verify-key.ts';
export { webCryptoSecrets } from '../access/web-crypto-secrets.ts';
