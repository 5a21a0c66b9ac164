import { createRegistry, toJson, type Registry } from '@bufbuild/protobuf';
import {
  AnySchema,
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  DurationSchema,
  EmptySchema,
  FieldMaskSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  TimestampSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
  ValueSchema,
  type Any,
} from '@bufbuild/protobuf/wkt';
import type { Interceptor } from '@connectrpc/connect';
import { CaptureMetadataSchema, type CaptureMetadata } from '../../gen/app/data/v1/data_pb.ts';
import { messagesWithin, wayTo } from './messages-within.ts';

/** The types of method parameters that can be written as JSON. */
export const parameterTypes: Registry = createRegistry(
  ValueSchema,
  StructSchema,
  ListValueSchema,
  EmptySchema,
  TimestampSchema,
  DurationSchema,
  FieldMaskSchema,
  StringValueSchema,
  BytesValueSchema,
  BoolValueSchema,
  DoubleValueSchema,
  FloatValueSchema,
  Int32ValueSchema,
  UInt32ValueSchema,
  Int64ValueSchema,
  UInt64ValueSchema,
);

/** Header with the number of method parameters that were left out of a JSON answer. */
const leftOutHeader = 'x-parameters-left-out';

/**
 * Leaves out of JSON answers those method parameters that cannot be written as JSON: of an unknown type, or with
 * bytes that do not match their type. Machines may send any, and one of them would turn a whole page into an error.
 * Protobuf answers contain them all.
 */
export const leaveOutOfJson: Interceptor = (next) => async (request) => {
  const response = await next(request);
  const { output } = request.method;
  const isJson = request.header.get('content-type')?.includes('json') ?? false;
  if (!isJson || response.stream || wayTo(output, CaptureMetadataSchema).length === 0) return response;
  let leftOut = 0;
  for (const [, metadata] of messagesWithin(output, response.message, CaptureMetadataSchema)) {
    const { methodParameters } = metadata as CaptureMetadata;
    for (const [name, parameter] of Object.entries(methodParameters)) {
      if (hasJson(parameter)) continue;
      delete methodParameters[name];
      leftOut++;
    }
  }
  if (leftOut > 0) response.header.set(leftOutHeader, String(leftOut));
  return response;
};

function hasJson(parameter: Any): boolean {
  try {
    toJson(AnySchema, parameter, { registry: parameterTypes });
    return true;
  } catch {
    return false;
  }
}
