/**
 * npm run user -- --tenant NAME [--operator] [--name NAME] [--stage NAME]: makes a person for the administration screens.
 * npm run user -- --reset --name NAME [--stage NAME]: lets a person in anew who has lost the password or the second factor.
 */
import { parseArgs } from 'node:util';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { accountIdOf } from '../tenants/account.ts';
import { addPerson, newPassword, resetPerson } from './managers.cognito.ts';

const USAGE = `Usage: npm run user -- --tenant NAME [--operator] [--name NAME] [--stage NAME]
       npm run user -- --reset --name NAME [--stage NAME]`;
const NAME = /^[\w.@+-]{1,128}$/;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      tenant: { type: 'string' },
      operator: { type: 'boolean', default: false },
      name: { type: 'string' },
      reset: { type: 'boolean', default: false },
      stage: { type: 'string' },
    },
  });
  const { operator, reset } = values;
  const tenant = accountIdOf(values.tenant ?? '');
  // Whom a person belongs to and what they may do is set once: only the name says whom a reset is for.
  if (reset ? values.name === undefined || values.tenant !== undefined || operator : !tenant) throw new Error(USAGE);
  const name = values.name ?? (operator ? `${tenant}-operator` : (tenant ?? ''));
  if (!NAME.test(name)) throw new Error('A name has letters, digits and . @ + - _ only.');
  const deployment = await findDeployment(values.stage);
  const password = newPassword();
  if (reset) {
    if (!(await resetPerson(deployment, name, password))) throw new Error(`There is no person named ${name}.`);
  } else if (!(await addPerson(deployment, { name, tenant: tenant ?? '', operator, password, isTemporary: true }))) {
    throw new Error(`There is a person named ${name}. Choose another name with --name.`);
  }
  console.log(`Name      ${name}`);
  console.log(`Password  ${password}   (good for one sign-in, at which another one is chosen)`);
  console.log(`Console   ${deployment.output('ConsoleUrl')}`);
  return 0;
});
