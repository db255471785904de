import { screenPath, type Visit } from '../pages/screen.ts';

export const erasuresPath = (visit: Pick<Visit, 'tenant'>): string => screenPath(visit, 'erasures');

export const customerErasurePath = (visit: Pick<Visit, 'tenant'>, customer: string): string =>
  screenPath(visit, `customers/${encodeURIComponent(customer)}/erase`);
