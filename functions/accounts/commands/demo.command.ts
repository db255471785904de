/** Run by npm start: makes the demo tenant. */
import { runCommand } from '#shared/command/command';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { addDemoTenant } from './demo-tenant.dynamodb.ts';

await runCommand(async () => {
  const deployment = await findDeployment(undefined);
  const { names, password } = await addDemoTenant(deployment);
  console.log(`Console       ${deployment.output('ConsoleUrl')}  (${names.join(', ')}; password "${password}")`);
  return 0;
});
