/** S3 tells the default bus of objects, for buckets that have this switched on. */
import type { Endpoint } from '../endpoint.ts';
import type { EventBuses } from './event-buses.ts';

export class ObjectAnnouncements {
  private readonly enabled = new Set<string>();

  constructor(endpoint: Endpoint, buses: EventBuses) {
    const announce = (detailType: string, bucket: string, detail: object) => {
      if (!this.enabled.has(bucket)) return;
      buses.publish('default', {
        source: 'aws.s3',
        'detail-type': detailType,
        resources: [`arn:aws:s3:::${bucket}`],
        detail: { version: '0', bucket: { name: bucket }, ...detail },
      });
    };
    endpoint.onObjectCreated(({ bucket, key, size, etag, sequencer, reason, requester }) =>
      announce('Object Created', bucket, {
        object: { key, size, etag, sequencer },
        'request-id': sequencer,
        requester,
        'source-ip-address': '127.0.0.1',
        reason,
      }),
    );
    endpoint.onObjectRemoved(({ bucket, key, sequencer, reason, requester }) =>
      announce('Object Deleted', bucket, {
        object: { key, sequencer },
        'request-id': sequencer,
        requester,
        'source-ip-address': '127.0.0.1',
        reason,
        'deletion-type': 'Permanently Deleted',
      }),
    );
  }

  enable(bucket: string): void {
    this.enabled.add(bucket);
  }
}
