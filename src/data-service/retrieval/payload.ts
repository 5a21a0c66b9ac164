import type { JsonObject } from '@bufbuild/protobuf';
import type { StructObject } from '../ports/capture.ts';

/** A stored payload as the runtime's Struct: the same value, which its types call mutable JSON. */
export const toPayload = (payload: StructObject): JsonObject => payload as JsonObject;
