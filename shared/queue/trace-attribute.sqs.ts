import type { MessageSystemAttributeValue } from '@aws-sdk/client-sqs';
import { type Origin, traceHeader } from '#shared/telemetry/origin';

/** The members of a sent message that carry its origin. @param origin @default that of the current work */
export function tracedBy(origin: Origin = {}): {
  readonly MessageSystemAttributes?: { readonly AWSTraceHeader: MessageSystemAttributeValue };
} {
  const StringValue = traceHeader(origin);
  return StringValue === undefined
    ? {}
    : { MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue } } };
}
