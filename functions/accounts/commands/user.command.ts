/** npm run user: makes a person for the administration screens, or gives one who cannot sign in another password. */

import { TENANT_ROLES } from '#shared/auth/role';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION, wrongCall } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { newPassword } from '../people/sign-ins.cognito.ts';
import { accountIdOf } from '../tenants/account.ts';
import { addPerson, resetPerson } from './managers.cognito.ts';

const LINE = {
  script: 'user',
  about: `Makes a person for the console, and prints a password for one sign-in.
With --reset: gives a person another password and takes the authenticator app away.`,
  options: {
    tenant: { value: 'NAME', about: 'the tenant of the person; required without --reset' },
    role: { value: 'ROLE', about: 'admin, reviewer or viewer of the tenant; admin when not stated' },
    operator: { about: 'the person may act for every tenant' },
    name: { value: 'NAME', about: 'what the person signs in with; otherwise made from the tenant' },
    reset: { about: 'only with --name, and --stage' },
    stage: STAGE_OPTION,
  },
  example: '--tenant demo --name dana@example.com',
} as const;
const NAME = /^[\w.@+-]{1,128}$/;

await runCommandLine(LINE, async ({ values }) => {
  const { operator, reset } = values;
  const tenant = accountIdOf(values.tenant ?? '');
  // Whom a person belongs to and what they may do is set once: only the name says whom a reset is for.
  if (reset && (values.name === undefined || values.tenant !== undefined || values.role !== undefined || operator)) {
    throw wrongCall('--reset needs --name NAME, and neither --tenant, --role nor --operator.');
  }
  if (!reset && !tenant) throw wrongCall('--tenant NAME is missing, or has neither letters nor digits.');
  const role = operator ? 'operator' : TENANT_ROLES.find((one) => one === (values.role ?? 'admin'));
  if (role === undefined) throw wrongCall(`--role is one of ${TENANT_ROLES.join(', ')}.`);
  const entered = values.name ?? (operator ? `${tenant}-operator` : (tenant ?? ''));
  // The user pool tells cases apart, and the console signs in with addresses in lower case.
  const name = entered.includes('@') ? entered.toLowerCase() : entered;
  if (!NAME.test(name)) throw new Error('Use only letters, digits and . @ + - _ in a name.');
  const deployment = await findDeployment(values.stage);
  const password = newPassword();
  const now = Date.now();
  if (reset) {
    if (!(await resetPerson(deployment, { name, password }, now))) throw new Error(`There is no person named ${name}.`);
  } else if (!(await addPerson(deployment, { name, tenant: tenant ?? '', role, password, isTemporary: true }, now))) {
    throw new Error(`A person named ${name} already exists. Choose another name with --name.`);
  }
  console.log(`Name      ${name}`);
  console.log(`Password  ${password}   (temporary: the first sign-in asks for a new one)`);
  console.log(`Console   ${deployment.output('ConsoleUrl')}`);
  return 0;
});
