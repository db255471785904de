import type { _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';

/** A stream's record as a function gets it: times in seconds, bytes in base64. */
export function streamEvent(
  record: StreamRecord,
  { region, streamArn }: { region: string; streamArn: string },
): object {
  const { dynamodb = {}, userIdentity } = record;
  const {
    Keys,
    NewImage,
    OldImage,
    SequenceNumber,
    SizeBytes,
    StreamViewType,
    ApproximateCreationDateTime: at,
  } = dynamodb;
  return {
    eventID: record.eventID,
    eventName: record.eventName,
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: at && Math.floor(at.getTime() / 1000),
      Keys: withTextForBytes(Keys),
      ...(NewImage && { NewImage: withTextForBytes(NewImage) }),
      ...(OldImage && { OldImage: withTextForBytes(OldImage) }),
      SequenceNumber,
      SizeBytes,
      StreamViewType,
    },
    ...(userIdentity && {
      userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
    }),
    eventSourceARN: streamArn,
  };
}

function withTextForBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(withTextForBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTextForBytes(inner)]));
}
