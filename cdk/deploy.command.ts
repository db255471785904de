/** npm run deploy: deploys the stacks of a stage to the AWS account of the environment. */
import { spawnSync } from 'node:child_process';
import { App } from 'aws-cdk-lib';
import { runCommandLine } from '#shared/command/command';
import { deployedStacks, deployedTemplate } from '#shared/command/deployment.cloudformation';
import { approvalOptions } from './approval.ts';
import { routeKeysOf } from './constructs/functions/handler-routes.ts';
import { droppedThrottles, throttleOf } from './constructs/route-throttles.ts';
import { contextIn } from './context-options.ts';
import { type Settings, STAGE_NAMES, settingsOf, stackNames } from './settings.ts';

const LINE = {
  script: 'deploy',
  about: 'Deploys a stage to the AWS account and region of the environment.',
  options: {
    stage: { value: 'NAME', about: 'which settings the deployment takes', choices: STAGE_NAMES, required: true },
    yes: { about: 'deploys changes of permissions without asking' },
  },
  others: 'options of cdk deploy',
  example: '--stage prod --context alarmsTo=ops@example.com',
} as const;

await runCommandLine(LINE, async ({ values, others }) => {
  const { stage } = values;
  const app = new App({ context: { ...contextIn(others), stage } });
  await refuseLeftovers(stage, settingsOf(app));
  const approval = approvalOptions({ isTerminal: process.stdin.isTTY, yes: values.yes, others });
  if (approval.includes('broadening')) {
    console.log(
      'No terminal: the deployment ends where permissions get broader. Look at the difference, then pass --yes.',
    );
  }
  const { status } = spawnSync('cdk', ['deploy', '--all', '--context', `stage=${stage}`, ...others, ...approval], {
    stdio: 'inherit',
  });
  return status ?? 1;
});

/**
 * Refuses what CloudFormation would refuse halfway through. A domain removed from the stage leaves its stack behind, which
 * still reads exports that the data stack is about to drop; and the stack of the API's stage has to be made anew where
 * settings of routes go.
 */
async function refuseLeftovers(stage: string, settings: Settings): Promise<void> {
  const stacks = stackNames(stage, settings.domains);
  const deployed = await deployedStacks(stage);
  const leftovers = deployed.filter((name) => !stacks.includes(name));
  const gateway = deployed.find((name) => name === stacks.at(-1));
  if (gateway !== undefined) {
    const keys = new Set(routeKeysOf(settings.domains).filter((key) => throttleOf(key, settings)));
    const dropped = droppedThrottles(await deployedTemplate(gateway), (key) => keys.has(key));
    if (dropped.length > 0) leftovers.unshift(gateway);
  }
  if (leftovers.length === 0) return;
  const commands = leftovers.map((name) => `  aws cloudformation delete-stack --stack-name ${name}`);
  throw new Error(
    `Deployed, but cannot be changed into the stage ${stage} as it is now. Delete first, in this order, then deploy again:\n${commands.join('\n')}`,
  );
}
