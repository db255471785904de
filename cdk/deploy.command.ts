/** npm run deploy: deploys the stacks of a stage to the AWS account of the environment. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { runCommandLine } from '#shared/command';
import { deployedStacks } from '#shared/deployment.cloudformation';
import { STAGE_NAMES, settingsOf, stackNames } from './settings.ts';

const LINE = {
  script: 'deploy',
  about: 'Deploys a stage to the AWS account and region of the environment.',
  options: {
    stage: { value: 'NAME', about: 'which settings the deployment takes', choices: STAGE_NAMES, required: true },
  },
  others: 'options of cdk deploy',
  example: '--stage prod --context alarmsTo=ops@example.com',
} as const;

await runCommandLine(LINE, async ({ values, others }) => {
  const { stage } = values;
  const app = new App({ context: { ...contextIn(others), stage } });
  await refuseOrphans(stage, stackNames(stage, settingsOf(app).domains));
  const options = [...others];
  // Without a terminal the CDK cannot ask whether changes of permissions are wanted, and gives up.
  if (!process.stdin.isTTY && !others.some((option) => option.startsWith('--require-approval'))) {
    console.log('No terminal: changes of permissions are deployed without asking.');
    options.push('--require-approval', 'never');
  }
  const { status } = spawnSync('cdk', ['deploy', '--all', '--context', `stage=${stage}`, ...options], {
    stdio: 'inherit',
  });
  return status ?? 1;
});

/** The context among the options of the CDK, which settings may depend on. */
function contextIn(options: readonly string[]): Record<string, string> {
  const { context = [] } = parseArgs({
    args: [...options],
    options: { context: { type: 'string', short: 'c', multiple: true } },
    allowPositionals: true,
    strict: false,
  }).values;
  const pairs = [context].flat().map((pair): [string, string] => {
    const [name = '', ...value] = String(pair).split('=');
    return [name, value.join('=')];
  });
  return Object.fromEntries(pairs);
}

/**
 * A domain removed from the stage leaves its stack behind, which still reads exports that the data stack is about to
 * drop: CloudFormation would refuse that halfway through.
 */
async function refuseOrphans(stage: string, wanted: readonly string[]): Promise<void> {
  const orphans = (await deployedStacks(stage)).filter((name) => !wanted.includes(name));
  if (orphans.length === 0) return;
  const commands = orphans.map((name) => `  aws cloudformation delete-stack --stack-name ${name}`);
  throw new Error(
    `Deployed, but no longer part of the stage ${stage}. Delete first, then deploy again:\n${commands.join('\n')}`,
  );
}
