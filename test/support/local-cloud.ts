/** A local cloud for tests: in memory, on free ports, with quick retries. Close it when done. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { type Cloud, type CloudOptions, startCloud } from '../../cdk/local/cloud.ts';

export type LocalCloudOptions = Partial<CloudOptions> &
  ({ readonly assemblyDir: string } | { readonly app: (outdir: string) => App | Promise<App> });

/**
 * Starts an assembly, or an app that is synthesized for this. Failed messages come back at once and asynchronous
 * invocations are tried again at once: a test must not wait for AWS's minutes.
 */
export async function startLocalCloud(options: LocalCloudOptions): Promise<Cloud> {
  const folder = await mkdtemp(join(tmpdir(), 'local-cloud-'));
  try {
    const cloud = await startCloud({
      failedMessagesReturnAfterSeconds: 0,
      asyncRetryDelaysSeconds: [0],
      ...options,
      assemblyDir: 'app' in options ? await synthesized(options.app, folder) : options.assemblyDir,
    });
    return {
      ...cloud,
      async close() {
        await cloud.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function synthesized(make: (outdir: string) => App | Promise<App>, folder: string): Promise<string> {
  const app = await make(folder);
  return app.synth().directory;
}

/** What an AWS client needs to call the cloud as the account's owner. */
export function clientOptions({ awsUrl, region, credentials }: Cloud) {
  return { endpoint: awsUrl, region, credentials };
}
