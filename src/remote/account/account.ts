import type { JsonObject } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';

/** An account service, which stores the configurations of an organization's machines. Its calls reject with AccountError. */
export interface Account {
  organizations(signal: AbortSignal): Promise<readonly AccountEntry[]>;
  locations(organizationId: string, signal: AbortSignal): Promise<readonly AccountEntry[]>;
  machines(locationId: string, signal: AbortSignal): Promise<readonly AccountEntry[]>;
  /** the parts of a machine; the main part is first */
  parts(machineId: string, signal: AbortSignal): Promise<readonly AccountEntry[]>;
  part(partId: string): Promise<PartConfiguration>;
  /**
   * Writes the entries and the text of a part; its name stays. The service refuses if the part was updated after
   * `updatedAt`; the code of this error differs between services.
   */
  update(part: PartConfiguration): Promise<PartConfiguration>;
}

export interface AccountEntry {
  readonly id: string;
  readonly name: string;
  /** whether a machine or part is online; absent for other entries, and where the service does not say */
  readonly seen?: LastSeen;
}

/** Whether it is online. `atMs`: when it was last, ms since 1970; null: never. */
export type LastSeen = { readonly isOnline: true } | { readonly isOnline: false; readonly atMs: number | null };

/** The stored configuration of a part. */
export interface PartConfiguration extends AccountEntry {
  /** the values; numbers are doubles, and the order of keys is lost */
  readonly entries: JsonObject;
  /** the text as it was written, if the service also stores that; otherwise null */
  readonly text: string | null;
  readonly updatedAt: Timestamp | null;
  /** the part's name for connections by WebRTC, "robot-main.abc123.viam.cloud"; '' where the service does not say */
  readonly host: string;
}
