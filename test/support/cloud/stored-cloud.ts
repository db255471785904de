/** A local cloud with a data folder, new for each test of the file, in which a test may start it again and again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { afterEach, beforeEach } from 'vitest';
import type { Cloud } from '../../../cdk/local/cloud.ts';
import { appOf, startLocalCloud } from './local-cloud.ts';

export function storedCloud() {
  let folder = '';
  let cloud: Cloud | undefined;
  const stop = async () => {
    await cloud?.close();
    cloud = undefined;
  };
  const startApp = async (app: (outdir: string) => App, dataDir: string | null = folder): Promise<Cloud> => {
    await stop();
    cloud = await startLocalCloud({ app, dataDir });
    return cloud;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
  });
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });
  return {
    /** The path of a file in the data folder. */
    pathOf: (...names: readonly string[]): string => join(folder, ...names),
    /** Starts an app of one stack; what ran before is closed first. @param dataDir null stores nothing. */
    start: (fill: (stack: Stack) => void, dataDir?: null): Promise<Cloud> => startApp(appOf(fill), dataDir),
    startApp,
  };
}
