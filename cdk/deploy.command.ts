/** npm run deploy -- --stage NAME: deploys the stacks of a stage to the AWS account of the environment. Further options go to the CDK. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import { runCommand } from '#shared/command';
import { deployedStacks } from '#shared/deployment.cloudformation';
import { settingsOf, stackNames } from './settings.ts';

const USAGE = 'Usage: npm run deploy -- --stage NAME [options of cdk deploy]';

await runCommand(async () => {
  const { stage, context, rest } = readArguments(process.argv.slice(2));
  const app = new App({ context: { ...context, stage } });
  await refuseOrphans(stage, stackNames(stage, settingsOf(app).domains));
  const options = [...rest];
  // Without a terminal the CDK cannot ask whether changes of permissions are wanted, and gives up.
  if (!process.stdin.isTTY && !rest.some((option) => option.startsWith('--require-approval'))) {
    console.log('No terminal: changes of permissions are deployed without asking.');
    options.push('--require-approval', 'never');
  }
  const { status } = spawnSync('cdk', ['deploy', '--all', '--context', `stage=${stage}`, ...options], {
    stdio: 'inherit',
  });
  return status ?? 1;
});

/** The stage; the context that settings may depend on; and all options but the stage, for the CDK. */
function readArguments(all: readonly string[]) {
  const { values, tokens } = parseArgs({
    args: [...all],
    options: { stage: { type: 'string' }, context: { type: 'string', short: 'c', multiple: true } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const { stage, context = [] } = values;
  if (typeof stage !== 'string') throw new Error(USAGE);
  const pairs = context.map((pair): [string, string] => {
    const [name = '', ...value] = String(pair).split('=');
    return [name, value.join('=')];
  });
  const own = tokens.find((token) => token.kind === 'option' && token.name === 'stage');
  const rest = own?.kind === 'option' ? all.toSpliced(own.index, own.inlineValue ? 1 : 2) : all;
  return { stage, context: Object.fromEntries(pairs), rest };
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
