import { S3Client } from '@aws-sdk/client-s3';
import type { LocalEndpoint } from './local-endpoint.ts';

const clients = new WeakMap<LocalEndpoint, S3Client>();

/** The owner's client of the buckets of an endpoint: one for all, because each opens connections of its own. */
export function s3ClientOf(endpoint: LocalEndpoint): S3Client {
  const client = clients.get(endpoint) ?? new S3Client({ ...endpoint.clientOptions(), forcePathStyle: true });
  clients.set(endpoint, client);
  return client;
}
