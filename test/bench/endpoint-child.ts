/** The process of `endpoint-process.ts`. Run it with `fork`; its argument is the text of the one secret. */
import type { Credentials } from '../../cdk/local/endpoint/endpoint.ts';
import { Secret } from '../../cdk/local/secretsmanager/secret.ts';
import { Secrets } from '../../cdk/local/secretsmanager/secrets.ts';
import { SecretsManagerService } from '../../cdk/local/secretsmanager/secretsmanager-service.ts';
import { ACCOUNT_ID, REGION, startLocalEndpoint } from '../support/cloud/local-endpoint.ts';

export interface EndpointMessage {
  readonly url: string;
  readonly secretId: string;
  readonly credentials: Credentials;
}

const NAME = 'bench';
const [text = ''] = process.argv.slice(2);
const endpoint = await startLocalEndpoint();
const secrets = new Secrets(REGION, ACCOUNT_ID);
const settings = { arn: secrets.arnOf(NAME, 'AbC123'), name: NAME, description: 'for a bench' };
const secret = new Secret(settings, null, new Date());
secret.declare({ text: NAME, value: () => text }, new Date());
secrets.add(secret);
endpoint.add(new SecretsManagerService({ secrets, now: () => new Date() }));
process.on('disconnect', () => void endpoint.close().then(() => process.exit(0)));
process.send?.({ url: endpoint.url, secretId: NAME, credentials: endpoint.root } satisfies EndpointMessage);
