import type { PlanViews } from '#shared/auth/data-plan';
import type { View } from '../schemas/view.ts';

/** Returns whether a data plan includes a view. */
export const planHasView = (views: PlanViews, { name }: View): boolean => views === 'all' || views.includes(name);
