import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { NOBODY, settingsOf } from '../../settings.ts';

/** A share of the budget that has been spent, or that AWS expects to be spent by the end of the month. */
const NOTICES = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * Mails before the month of the account gets dearer than the stage's budget. AWS Budgets sends its mails itself: unlike those of
 * alarms, they need no confirmation. The first two budgets of an account are free.
 */
export function addBudget(scope: Construct): void {
  const { monthlyBudgetDollars, ticketsTo } = settingsOf(scope);
  if (ticketsTo === NOBODY) return;
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetDollars, unit: 'USD' },
    },
    notificationsWithSubscribers: NOTICES.map((notice) => ({
      notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: ticketsTo }],
    })),
  });
}
