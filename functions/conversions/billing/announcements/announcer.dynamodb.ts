import { showPlan, tenantById } from '#shared/auth/tenant-items.dynamodb';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import { countFault } from '#shared/faults';
import { log } from '#shared/log';
import { boundTable } from '#shared/table.dynamodb';
import { markAnnounced, type StoredAnnouncement } from './announcement-items.dynamodb.ts';
import { confirmation, isScaleConfirmed, planChangeIn } from './confirmation.ts';
import { mails } from './mails.ses.ts';

interface Environment {
  readonly ACCOUNTS_TABLE: string;
  readonly CONVERSIONS_TABLE: string;
  readonly EVENT_BUS: string;
  /** Blank where no sender is configured: the event is all there is then. */
  readonly MAIL_FROM: string;
}

/**
 * Tells of one change: puts its event on the bus, shows a new plan with its tenant, and confirms Scale by mail. Done again
 * it makes no second webhook, but a mail may come twice.
 */
export function announcer(env: Environment): (announced: StoredAnnouncement) => Promise<void> {
  const accounts = boundTable(env.ACCOUNTS_TABLE);
  const conversions = boundTable(env.CONVERSIONS_TABLE);
  const events = eventBus({ name: env.EVENT_BUS, source: 'conversions' });
  const sender = mails(env.MAIL_FROM);

  async function confirm(tenant: string): Promise<void> {
    const account = await tenantById(accounts, tenant);
    if (!account || account.email === '' || (await sender.send(confirmation(account)))) return;
    // Trying again would hold up what others are told, and end in the same way.
    log.error('a mail was refused', { tenant });
    countFault();
  }

  return async (announced) => {
    const { tenant, id, trigger, recordType, recordId, data, time } = announced;
    await events.put([{ tenant, id, module: 'conversions', trigger, recordType, recordId, data, time }]);
    const change = planChangeIn({ trigger, data });
    if (change) await showPlan(accounts, tenant, change);
    if (change && isScaleConfirmed(change)) await confirm(tenant);
    await markAnnounced(conversions, announced);
  };
}
