/** The read-only MongoDB endpoint of a host that has one. */
export interface DatabaseEndpoint {
  /** host name and port under which clients reach it */
  readonly hostname: string;
  /** the connection string for this user, without a password */
  uriFor(user: string): string;
}
