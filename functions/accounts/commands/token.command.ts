/** npm run token: prints a management bearer token. */
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION, wrongCall } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { accountIdOf } from '../tenants/account.ts';
import { managementToken } from './managers.cognito.ts';

const LINE = {
  script: 'token',
  about: 'Prints a management bearer token that lasts an hour.',
  options: {
    tenant: { value: 'NAME', about: 'the tenant that the token acts for', required: true },
    operator: { about: 'the token acts for every tenant' },
    stage: STAGE_OPTION,
  },
  example: '--tenant demo --operator',
} as const;

await runCommandLine(LINE, async ({ values }) => {
  const { operator } = values;
  const tenant = accountIdOf(values.tenant);
  if (!tenant) throw wrongCall(`--tenant is "${values.tenant}": the name of a tenant has letters or digits.`);
  const deployment = await findDeployment(values.stage);
  console.log(await managementToken(deployment, { tenant, operator }));
  return 0;
});
