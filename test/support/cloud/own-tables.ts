/** The DynamoDB Local that `npm run test:dynamodb-local` starts once for all tests. */
import { randomUUID } from 'node:crypto';
import type { RunningEngine } from '../../../cdk/local/dynamodb/engine-choice.ts';

export const SHARED_ENGINE_URL = 'TEST_DYNAMODB_LOCAL_URL';

/**
 * Empty tables in the shared engine, where there is one: a Java machine takes seconds to start and far longer to warm
 * up. A test with tables in a folder starts its own engine, to see it stop and start.
 */
export function ownTables(dataDir: string | null | undefined): { readonly dynamodb?: RunningEngine } {
  const url = process.env[SHARED_ENGINE_URL];
  if (url === undefined || typeof dataDir === 'string') return {};
  return { dynamodb: { url, accessKeyId: `test${randomUUID().replaceAll('-', '')}` } };
}
