/** npm run cost: prints what a month costs, by service. */
import { readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { runCommandLine } from '#shared/command/command';
import { STAGE_NAMES, settingsOf } from '../settings.ts';
import { stageTemplates } from '../stage-stacks.ts';
import { IDLE_WORK, idleBill } from './idle-bill.ts';
import { readMonth } from './month.ts';
import { billText, monthBill } from './month-bill.ts';
import { PRICES } from './prices.ts';

const LINE = {
  script: 'cost',
  about: `Prints what a month of use costs on AWS, by service. FILE is JSON with the counts of the month, as in
cdk/cost/small-month.json; all are optional.`,
  options: {
    month: { value: 'FILE', about: 'the counts of the month', required: true, isFile: true },
    stage: { value: 'NAME', about: 'the stage whose settings count', choices: STAGE_NAMES, default: 'prod' },
  },
  example: '--month cdk/cost/small-month.json',
} as const;

await runCommandLine(LINE, async ({ values: { month, stage } }) => {
  const counts = readMonth(readFileSync(month, 'utf8'));
  const { webhookRetentionDays } = settingsOf(new App({ context: { stage, alarmsTo: 'nobody' } }));
  const bill = monthBill(counts, { webhookDays: webhookRetentionDays });
  const idle = idleBill(stageTemplates(stage), IDLE_WORK);
  console.log(billText(bill, idle));
  console.log(`List prices of ${PRICES.region}, ${PRICES.architecture}, ${PRICES.date}, without free tiers.`);
  return 0;
});
