import type { View } from '../schemas/view.ts';

/** Plans that do not have every view. Plans that are not named here, the demo plan among them, have all. */
const VIEWS_OF_PLAN: Readonly<Record<string, readonly string[]>> = {
  basic: ['businesses_basic', 'products_basicFields', 'properties_all'],
};

/** Whether a plan of downloads includes a view. */
export function planHasView(planId: string, view: View): boolean {
  const views = Object.hasOwn(VIEWS_OF_PLAN, planId) ? VIEWS_OF_PLAN[planId] : undefined;
  return views === undefined || views.includes(view.name);
}
