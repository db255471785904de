/** npm run deploy -- --stage NAME: deploys both stacks to the AWS account of the environment. Further options go to the CDK. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, tokens } = parseArgs({
  options: { stage: { type: 'string' } },
  allowPositionals: true,
  strict: false,
  tokens: true,
});
if (typeof values.stage !== 'string') {
  console.error('Usage: npm run deploy -- --stage NAME [options of cdk deploy]');
  process.exit(1);
}
const args = process.argv.slice(2);
const own = tokens.find((token) => token.kind === 'option' && token.name === 'stage');
if (own?.kind === 'option') args.splice(own.index, own.inlineValue ? 1 : 2);
const { status } = spawnSync('cdk', ['deploy', '--all', '--context', `stage=${values.stage}`, ...args], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
