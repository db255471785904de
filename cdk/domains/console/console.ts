import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { originOf, setting, signsPeopleIn } from '../../constructs/bindings.ts';
import { localParameter } from '../../constructs/local-parameter.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/domain-stack.ts';

/** The administration screens: one function, which reaches people, their sessions and the management API. */
export class Console extends Construct {
  constructor(scope: Construct, id: string, { data, edge }: Foundations) {
    super(scope, id);
    const { managers, consoleClient } = data.accounts;
    const { operatorsNeedCode, domains } = settingsOf(this);
    edge.api.serve(
      new ServiceFunction(this, 'console/serving/console', {
        bindings: {
          CONSOLE_TABLE: data.console.table.allows({
            'SESSION#': ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
            'FORM#': ['GetItem', 'PutItem', 'UpdateItem'],
            'ATTEMPTS#': ['UpdateItem'],
          }),
          MANAGERS_POOL: signsPeopleIn(managers),
          CONSOLE_CLIENT: setting(consoleClient.userPoolClientId),
          OPERATORS_NEED_CODE: setting(localParameter(this, 'OperatorsNeedCode', String(operatorsNeedCode))),
          API_URL: setting(edge.api.url),
          // Reviewers see submitted pictures by presigned links.
          IMAGE_ORIGINS: domains.includes('images') ? originOf(data.images.pictures) : setting(''),
        },
        ifItFails: 'People cannot use the administration screens; the API is not touched.',
        // A page waits for calls of the management API, and a test call for the endpoint.
        timeoutSeconds: 29,
        memoryMiB: 1_024,
      }),
    );
    new CfnOutput(this, 'ConsoleUrl', { value: `${edge.api.url}/console` }).overrideLogicalId('ConsoleUrl');
  }
}
