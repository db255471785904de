import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { addDomainAlarms } from '../constructs/alarms/alarms.ts';
import { addDashboard } from '../constructs/alarms/dashboard.ts';
import { addCanaries } from '../constructs/functions/canaries.ts';
import { allowDeadLetterAccess } from '../constructs/functions/dead-letter-access.ts';
import { ScheduleRule } from '../constructs/functions/schedules.ts';
import { Accounts } from '../domains/accounts/accounts.ts';
import { Console } from '../domains/console/console.ts';
import { Conversions } from '../domains/conversions/conversions.ts';
import { Images } from '../domains/images/images.ts';
import { Places } from '../domains/places/places.ts';
import { Records } from '../domains/records/records.ts';
import { Webhooks } from '../domains/webhooks/webhooks.ts';
import { type DomainName, settingsOf } from '../settings.ts';
import type { Foundations } from './foundations.ts';

export interface DomainStackProps extends StackProps, Foundations {
  readonly domain: DomainName;
}

const DOMAINS: Readonly<Record<DomainName, (scope: Construct, on: Foundations) => Construct>> = {
  accounts: (scope, on) => new Accounts(scope, 'Accounts', on),
  records: (scope, on) => new Records(scope, 'Records', on),
  webhooks: (scope, on) => new Webhooks(scope, 'Webhooks', on),
  conversions: (scope, on) => new Conversions(scope, 'Conversions', on),
  places: (scope, on) => new Places(scope, 'Places', on),
  images: (scope, on) => new Images(scope, 'Images', on),
  console: (scope, on) => new Console(scope, 'Console', on),
};

/** Everything of one domain that can be torn down and built again: functions, queues, schedules, routes, alarms. */
export class DomainStack extends Stack {
  constructor(scope: Construct, id: string, { domain, data, edge, ...props }: DomainStackProps) {
    super(scope, id, props);
    DOMAINS[domain](this, { data, edge });
    for (const one of this.node.findAll())
      if (one instanceof ScheduleRule) one.recordsRuns(data.accounts.recordingRuns);
    allowDeadLetterAccess(this, edge.letterRole);
    const faults = addDomainAlarms(this, { domain, topic: edge.alarmTopics.tickets });
    addCanaries(this, faults);
    if (settingsOf(this).dashboards.includes(domain)) {
      addDashboard(this, { domain, tableName: data[domain].table.tableName });
    }
  }
}
