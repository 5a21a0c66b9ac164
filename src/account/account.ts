import type { JsonObject } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';

/** An account service, which knows the machines of an organization. Every call rejects with an AccountError. */
export interface Account {
  organizations(signal: AbortSignal): Promise<readonly AccountEntry[]>;
  locations(organizationId: string, signal: AbortSignal): Promise<readonly AccountEntry[]>;
  machines(locationId: string, signal: AbortSignal): Promise<readonly AccountEntry[]>;
  /** of a machine, the main one first */
  parts(machineId: string, signal: AbortSignal): Promise<readonly AccountEntry[]>;
  part(partId: string): Promise<PartConfiguration>;
  /**
   * Writes the entries and the text of a part, under the name that it has. The service refuses where it knows of an update later
   * than `updatedAt`; services differ in what they say of it.
   */
  update(part: PartConfiguration): Promise<PartConfiguration>;
}

export interface AccountEntry {
  readonly id: string;
  readonly name: string;
}

/** A part's configuration as the service keeps it. */
export interface PartConfiguration extends AccountEntry {
  /** the values: numbers are doubles, and keys have no order */
  readonly entries: JsonObject;
  /** as it was written, where the service keeps that beside the values; null where it does not */
  readonly text: string | null;
  readonly updatedAt: Timestamp | null;
}
