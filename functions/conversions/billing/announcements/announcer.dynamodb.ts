import { showPlan, tenantById } from '#shared/auth/tenant-items.dynamodb';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import { mails } from '#shared/mail/mails.ses';
import { boundTable } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { markAnnounced, type StoredAnnouncement } from './announcement-items.dynamodb.ts';
import { confirmation, isScaleConfirmed, planChangeIn } from './confirmation.ts';

interface Environment {
  readonly ACCOUNTS_TABLE: string;
  readonly CONVERSIONS_TABLE: string;
  readonly EVENT_BUS: string;
  /** The sender of mails; empty where none is configured, and then only the event is published. */
  readonly MAIL_FROM: string;
}

/**
 * Announces a change: publishes its event, shows a new plan with its tenant, and confirms Scale by mail. A repeated
 * call causes no second webhook, but may send a second mail.
 */
export function announcer(env: Environment): (announced: StoredAnnouncement) => Promise<void> {
  const accounts = boundTable(env.ACCOUNTS_TABLE);
  const conversions = boundTable(env.CONVERSIONS_TABLE);
  const events = eventBus({ name: env.EVENT_BUS, source: 'conversions' });
  const sender = mails(env.MAIL_FROM);

  async function confirm(tenant: string): Promise<void> {
    const account = await tenantById(accounts, tenant);
    if (!account || account.email === '' || (await sender.send(confirmation(account)))) return;
    // A retry would block the other announcements and fail in the same way.
    log.error('a mail was refused', { tenant });
    countFault();
  }

  return async (announced) => {
    const { tenant, id, trigger, recordType, recordId, data, time, origin } = announced;
    await events.put([
      {
        tenant,
        id,
        module: 'conversions',
        trigger,
        recordType,
        recordId,
        data,
        time,
        ...(origin !== undefined && { origin }),
      },
    ]);
    const change = planChangeIn({ trigger, data });
    if (change) await showPlan(accounts, tenant, change);
    if (change && isScaleConfirmed(change)) await confirm(tenant);
    await markAnnounced(conversions, announced);
  };
}
