import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { REFUSED_SIGN_INS } from '#shared/telemetry/metric-scope';
import { addAlarm } from '../../constructs/alarms/alarms.ts';
import { serviceMetric } from '../../constructs/alarms/service-metric.ts';
import { originOf, setting, signsPeopleIn } from '../../constructs/functions/bindings.ts';
import { localParameter } from '../../constructs/functions/local-parameter.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

/** Counts five minutes: people of a large tenant mistype a password some dozens of times on a Monday morning. */
const REFUSED_SIGN_INS_MAX = 100;

/** The administration screens: one function, which reaches people, their sessions and the management API. */
export class Console extends Construct {
  constructor(scope: Construct, id: string, { data, edge }: Foundations) {
    super(scope, id);
    const { managers, consoleClient } = data.accounts;
    const { operatorsNeedCode, domains, productName } = settingsOf(this);
    edge.api.serve(this, 'console/serving/console', {
      bindings: {
        CONSOLE_TABLE: data.console.table.allows({
          'SESSION#': ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
          'FORM#': ['GetItem', 'PutItem', 'UpdateItem'],
          'ATTEMPTS#': ['BatchGetItem', 'PutItem'],
          'DEVICE_KEY#': ['GetItem', 'PutItem'],
        }),
        ...data.accounts.auditing,
        MANAGERS_POOL: signsPeopleIn(managers),
        CONSOLE_CLIENT: setting(consoleClient.userPoolClientId),
        OPERATORS_NEED_CODE: setting(localParameter(this, 'OperatorsNeedCode', String(operatorsNeedCode))),
        PRODUCT_NAME: setting(productName),
        API_URL: setting(edge.api.originUrl),
        // Reviewers see submitted pictures by presigned links.
        IMAGE_ORIGINS: domains.includes('images') ? originOf(data.images.pictures) : setting(''),
        // Browsers put files of imports and pictures to presigned links.
        UPLOAD_ORIGINS: setting(
          [
            ...(domains.includes('places') ? [originOf(data.places.imports).value] : []),
            ...(domains.includes('records') ? [originOf(data.records.imports).value] : []),
            ...(domains.includes('images') ? [originOf(data.images.pictures).value] : []),
          ].join(' '),
        ),
      },
      ifItFails: 'People cannot use the administration screens; the API is not touched.',
      // A page waits for calls of the management API, and a test call for the endpoint.
      timeoutSeconds: 29,
      memoryMiB: 1_024,
    });
    edge.api.serve(this, 'console/sign-in/sign-in-limits', {
      bindings: {
        ...data.accounts.auditing,
        CONSOLE_TABLE: data.console.table.allows({ 'ATTEMPTS#': ['Query', 'DeleteItem'] }),
      },
      ifItFails: 'Operators cannot open a name again that wrong passwords have closed; it opens by itself.',
    });
    addAlarm(this, 'RefusedSignInsAlarm', {
      topic: edge.alarmTopics.tickets,
      metric: serviceMetric(this, {
        service: 'console',
        metricName: REFUSED_SIGN_INS,
        period: Duration.minutes(5),
        statistic: 'Sum',
      }),
      above: REFUSED_SIGN_INS_MAX,
      meaning: 'Somebody tries many passwords: people who sign in with a new browser may have to wait.',
      runbook: 'Refused sign-ins',
    });
    new CfnOutput(Stack.of(this), 'ConsoleUrl', { value: `${edge.api.url}/console` });
  }
}
