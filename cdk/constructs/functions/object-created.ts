import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { WorkQueue } from './work-queue.ts';

interface CreatedObjects {
  /** A bucket with `announcesObjects`. */
  readonly bucket: IBucket;
  readonly queue: WorkQueue;
  /** Prefixes of keys. @default all keys */
  readonly prefixes?: readonly string[];
  readonly description: string;
}

/** Sends a message to a queue for every object that is put into a bucket. */
export function sendCreatedObjects(scope: Construct, { bucket, queue, prefixes, description }: CreatedObjects): void {
  new Rule(scope, 'ObjectCreated', {
    description,
    eventPattern: {
      source: ['aws.s3'],
      detailType: ['Object Created'],
      detail: {
        bucket: { name: [bucket.bucketName] },
        ...(prefixes && { object: { key: prefixes.map((prefix) => ({ prefix })) } }),
      },
    },
    // Events that the bus cannot deliver for a day go where messages go that cannot be worked on.
    targets: [new SqsQueue(queue.queue, { deadLetterQueue: queue.deadLetters })],
  });
}
