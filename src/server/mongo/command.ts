import type { Document } from 'bson';
import type { DataServiceDependencies } from '../../data-service/face/hosts.ts';
import type { Login } from './login.ts';
import type { OpenCursors } from './open-cursors.ts';

/** What all connections share. */
export type MongoService = Pick<DataServiceDependencies, 'store' | 'clock' | 'queryRunner' | 'defects'> & {
  readonly cursors: OpenCursors;
};

/** One command of one connection. */
export interface MongoCall {
  readonly service: MongoService;
  readonly document: Document;
  /** the database it names */
  readonly database: string;
  readonly connection: { readonly id: number; readonly peer: string; readonly login: Login };
  /** aborted when the client is gone, or is no longer let in */
  readonly signal: AbortSignal;
}

/** A call of somebody who is logged in, and may see this organization alone. */
export interface OrganizationCall extends MongoCall {
  readonly organizationId: string;
}

/** A document, `ok: 1` not yet in it, or a whole one as BSON. */
export type MongoAnswer = Document | Uint8Array;

type Answered = MongoAnswer | Promise<MongoAnswer>;

export type MongoCommand =
  | { readonly needsLogin: false; readonly answer: (call: MongoCall) => Answered }
  | { readonly needsLogin: true; readonly answer: (call: OrganizationCall) => Answered };

export const openCommand = (answer: (call: MongoCall) => Answered): MongoCommand => ({ needsLogin: false, answer });

export const organizationCommand = (answer: (call: OrganizationCall) => Answered): MongoCommand => ({
  needsLogin: true,
  answer,
});
