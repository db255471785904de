/** Runs an endpoint on a data folder until it is killed: `node run-endpoint.command.ts FOLDER`. Prints its URL and its engine's. */
import { Clock } from '../../../../cdk/local/clock.ts';
import { Engine } from '../../../../cdk/local/dynamodb/engine.ts';
import { chosenEngine } from '../../../../cdk/local/dynamodb/engine-choice.ts';
import { startEndpoint } from '../../../../cdk/local/endpoint/endpoint.ts';
import { ACCOUNT_ID, REGION } from '../../../support/cloud/local-endpoint.ts';

const dataDir = process.argv[2] ?? '';
try {
  const { url } = await startEndpoint({
    port: 0,
    dataDir,
    region: REGION,
    accountId: ACCOUNT_ID,
    clock: new Clock(),
  });
  const spare = await Engine.start(chosenEngine(process.env), null);
  console.log(JSON.stringify({ url, engine: spare.url }));
} catch (error) {
  console.error(String(error));
  process.exit(1);
}
