/** Runs the durable machine on a file until it is killed or done: `node run-executor.command.ts FILE COUNT SEED`. */
import { Clock } from '../../../../cdk/local/clock.ts';
import { ExecutionStore } from '../../../../cdk/local/stepfunctions/execution-store.ts';
import { beginDurable, durable, executionArn, invokeFunction } from '../../../support/cloud/durable-machine.ts';
import { elapsed } from '../../../support/runner/machine-time.ts';
import { seeded } from '../../../support/runner/virtual-time.ts';

const [file = '', count = '1', seed = '0'] = process.argv.slice(2);
const random = seeded(Number(seed));
const names = Array.from({ length: Number(count) }, (_, at) => `run-${at}`);
const store = new ExecutionStore(file);
const clock = new Clock();
const run = durable(store, {
  async invoke(call) {
    await elapsed(random() * 20);
    return invokeFunction(call);
  },
  clock,
  report: (line) => console.error(line),
});
for (const name of names) if (!store.byArn(executionArn(name))) beginDurable(run, name, clock.millis());
run.executor.start(() => true);
console.log('started');
while (store.running().length > 0) {
  await run.activity.settled();
  if (clock.nextAt !== undefined) clock.advance(Math.max(0, clock.nextAt - clock.millis()));
}
await run.executor.stop();
store.close();
console.log('done');
