/** npm run preflight: compares the quotas of the account with what a stage needs, before its deployment. */
import { App } from 'aws-cdk-lib';
import { runCommandLine } from '#shared/command/command';
import { contextIn } from '../context-options.ts';
import { NOBODY, STAGE_NAMES, settingsOf } from '../settings.ts';
import { stageStacks } from '../stage-stacks.ts';
import { accountFacts } from './account-facts.ts';
import { checksOf, checkTable, needsOf } from './preflight.ts';

const LINE = {
  script: 'preflight',
  about: `Compares what a stage needs with what the AWS account and region of the environment have: concurrency, request rates,
mail, and the bootstrap of the CDK. It only reads, and ends with 1 if something is short.`,
  options: {
    stage: { value: 'NAME', about: 'the stage that is to be deployed', choices: STAGE_NAMES, required: true },
  },
  others: 'the --context options of the deployment',
  example: '--stage prod --context mailFrom=post@example.com',
} as const;

await runCommandLine(LINE, async ({ values: { stage }, others }) => {
  const context = contextIn(others);
  const settings = settingsOf(new App({ context: { alarmsTo: NOBODY, ...context, stage } }));
  const facts = await accountFacts(settings.mailFrom);
  const checks = checksOf(needsOf(settings, stageStacks(stage, context)), facts);
  console.log(checkTable(checks));
  return checks.some(({ verdict }) => verdict === 'short') ? 1 : 0;
});
