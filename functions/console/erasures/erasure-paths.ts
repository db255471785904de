import { type PageRequest, screenPath } from '../pages/screen.ts';

export const erasuresPath = (pageRequest: Pick<PageRequest, 'tenant'>): string => screenPath(pageRequest, 'erasures');

export const customerErasurePath = (pageRequest: Pick<PageRequest, 'tenant'>, customer: string): string =>
  screenPath(pageRequest, `customers/${encodeURIComponent(customer)}/erase`);
