import { CfnOutput, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';
import { dataKey } from './data-key.ts';

/**
 * `{"1": "…"}`: what the keys or tokens of one purpose are made and proven with, and nothing else. `npm run keys` adds
 * versions and takes them out.
 */
export class KeySecrets extends Secret {
  /** @param proves the keys or tokens that it proves, in words */
  constructor(scope: Construct, id: string, proves: string) {
    const encryptionKey = dataKey(scope, id);
    super(scope, id, {
      ...(encryptionKey && { encryptionKey }),
      description: `Proves ${proves}. Older versions stay for as long as anything needs them.`,
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: '1',
        passwordLength: 64,
        excludePunctuation: true,
      },
      removalPolicy: settingsOf(scope).retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-SMG4',
      reason: 'Rotation adds a version by hand: a scheduled one would end keys that tenants have in use.',
    });
    new CfnOutput(scope, `${id}Name`, { value: this.secretArn }).overrideLogicalId(id);
  }
}
