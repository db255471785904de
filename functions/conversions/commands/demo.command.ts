/** Run by npm start: creates the conversion keys of the demo tenant, the same at each start, and prints them. */
import { createHmac } from 'node:crypto';
import { newKey } from '#shared/auth/self-proving-key';
import { runCommand } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { variable } from '#shared/env';
import { isoTime } from '#shared/formats/timestamp';
import { TEST_POOL } from '../billing/balances/account.ts';
import { KEY_KINDS } from '../billing/credentials/credential-kinds.ts';
import { credentialsOf, tablesOf } from './credentials-of.dynamodb.ts';
import { openUsedAccount } from './demo-account.dynamodb.ts';
import { demoUsage } from './demo-usage.ts';

const TENANT = 'demo';
const MODES = ['test', 'live'] as const;

await runCommand(async () => {
  const now = Date.now();
  const deployment = await findDeployment(undefined);
  if (variable('LOCAL_DEMO') !== '0') await openUsedAccount(tablesOf(deployment), TENANT, demoUsage(now));
  const { credentials, secrets } = await credentialsOf(deployment, TENANT, now);
  for (const mode of MODES) {
    const id = `kdemo${mode}`;
    const { key, hash, secretVersion } = newKey(
      { kind: KEY_KINDS[mode], tenant: TENANT, id },
      secrets,
      sameAtEachStart(secrets, mode),
    );
    // The account exists already in an older data folder.
    const credential = { id, tenant: TENANT, kind: 'key', mode, hash, secretVersion, createdAt: isoTime(now) } as const;
    await credentials.add(credential, true);
    console.log(
      `${mode === 'test' ? 'Test key' : 'Live key'}      ${key}${mode === 'test' ? `  (${TEST_POOL} requests)` : ''}`,
    );
  }
  return 0;
});

/** Replaces the random characters: still secret, because they derive from the secret of this data folder. */
function sameAtEachStart(secrets: Readonly<Record<string, string>>, mode: string): string {
  const digest = createHmac('sha256', secrets['1'] ?? '')
    .update(`demo key ${mode}`)
    .digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, 24);
}
