/** The read-only MongoDB endpoint of a host that has one. */
export interface DatabaseEndpoint {
  /** For a client that reaches the service at this origin: host and port, and the connection string without a password. */
  addressFor(serviceOrigin: string, user: string): { readonly hostname: string; readonly mongodbUri: string };
  /** Ends the connections of an organization's user, whose password is another now. */
  dropConnections(organizationId: string): void;
}
