/** npm run token -- --tenant NAME [--operator] [--stage NAME]: prints a management bearer token. */
import { parseArgs } from 'node:util';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { accountIdOf } from '../tenants/account.ts';
import { managementToken } from './managers.cognito.ts';

const USAGE = 'Usage: npm run token -- --tenant NAME [--operator] [--stage NAME]';

await runCommand(async () => {
  const { values } = parseArgs({
    options: { tenant: { type: 'string' }, operator: { type: 'boolean', default: false }, stage: { type: 'string' } },
  });
  const tenant = accountIdOf(values.tenant ?? '');
  if (!tenant) throw new Error(USAGE);
  const deployment = await findDeployment(values.stage);
  console.log(await managementToken(deployment, { tenant, operator: values.operator }));
  return 0;
});
