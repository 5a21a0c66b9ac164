/** The read-only MongoDB endpoint of a host that has one. */
export interface DatabaseEndpoint {
  /**
   * The host, port and connection string without a password, for a client that reaches the service at this origin.
   */
  addressFor(serviceOrigin: string, user: string): { readonly hostname: string; readonly mongodbUri: string };
  /** Closes the connections of an organization's user after its password was changed. */
  dropConnections(organizationId: string): void;
}
