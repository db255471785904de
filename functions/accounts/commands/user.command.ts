/** npm run user -- --tenant NAME [--operator] [--name NAME] [--stage NAME]: makes a person for the administration screens. */
import { parseArgs } from 'node:util';
import { runCommand } from '#shared/command';
import { findDeployment } from '#shared/deployment.cloudformation';
import { accountIdOf } from '../tenants/account.ts';
import { addPerson, newPassword } from './managers.cognito.ts';

const USAGE = 'Usage: npm run user -- --tenant NAME [--operator] [--name NAME] [--stage NAME]';
const NAME = /^[\w.@+-]{1,128}$/;

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      tenant: { type: 'string' },
      operator: { type: 'boolean', default: false },
      name: { type: 'string' },
      stage: { type: 'string' },
    },
  });
  const tenant = accountIdOf(values.tenant ?? '');
  if (!tenant) throw new Error(USAGE);
  const name = values.name ?? (values.operator ? `${tenant}-operator` : tenant);
  if (!NAME.test(name)) throw new Error('A name has letters, digits and . @ + - _ only.');
  const deployment = await findDeployment(values.stage);
  const password = newPassword();
  if (!(await addPerson(deployment, { name, tenant, operator: values.operator, password, isTemporary: true }))) {
    throw new Error(`There is a person named ${name}. Choose another name with --name.`);
  }
  console.log(`Name      ${name}`);
  console.log(`Password  ${password}   (good for one sign-in, at which another one is chosen)`);
  console.log(`Console   ${deployment.output('ConsoleUrl')}`);
  return 0;
});
