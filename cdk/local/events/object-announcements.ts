/** S3 announces new objects on the default bus, for buckets that have this switched on. */
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { EventBuses } from './event-buses.ts';

export class ObjectAnnouncements {
  private readonly enabled = new Set<string>();

  constructor(endpoint: Endpoint, buses: EventBuses) {
    endpoint.onObjectCreated(({ bucket, key, size, etag, versionId, sequencer, reason, requester }) => {
      if (!this.enabled.has(bucket)) return;
      buses.publish('default', {
        source: 'aws.s3',
        'detail-type': 'Object Created',
        resources: [`arn:aws:s3:::${bucket}`],
        detail: {
          version: '0',
          bucket: { name: bucket },
          object: { key, size, etag, ...(versionId !== undefined && { 'version-id': versionId }), sequencer },
          'request-id': sequencer,
          requester,
          'source-ip-address': '127.0.0.1',
          reason,
        },
      });
    });
  }

  enable(bucket: string): void {
    this.enabled.add(bucket);
  }
}
