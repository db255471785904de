/** Runs the durable machine on a file until it is killed or done: `node run-executor.command.ts FILE COUNT`. */
import { setTimeout as wait } from 'node:timers/promises';
import { ExecutionStore } from '../../../../cdk/local/stepfunctions/execution-store.ts';
import { beginDurable, durable, executionArn, invokeFunction } from '../../../support/durable-machine.ts';

const [file = '', count = '1'] = process.argv.slice(2);
const names = Array.from({ length: Number(count) }, (_, at) => `run-${at}`);
const store = new ExecutionStore(file);
// A clock a hundred times as fast: waits of seconds need not be waited for.
const now = () => new Date(Date.now() * 100 - 1.7e14);
const run = durable(store, {
  async invoke(call) {
    await wait(Math.random() * 20);
    return invokeFunction(call);
  },
  now,
  report: (line) => console.error(line),
});
for (const name of names) if (!store.byArn(executionArn(name))) beginDurable(run, name, now().getTime());
run.executor.start(() => true);
console.log('started');
while (store.running().length > 0) await wait(5);
await run.executor.stop();
store.close();
console.log('done');
