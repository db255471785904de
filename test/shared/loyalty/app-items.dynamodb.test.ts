import { expect, it } from 'vitest';
import { AppItem } from '../../../shared/loyalty/app-items.dynamodb.ts';

const stored = (imagesPerRecord?: number) => ({
  id: 'app',
  tenant: 'demo',
  name: 'App',
  secretHash: 'hash',
  createdAt: '2026-01-01T00:00:00.000Z',
  ...(imagesPerRecord !== undefined && { imagesPerRecord }),
});

it.each([
  [undefined, 10],
  [1, 1],
  [40, 40],
  [41, 40],
  [100, 40],
])('an app that was stored with %s images for each record has %s', (before, now) => {
  expect(AppItem.parse(stored(before)).imagesPerRecord).toBe(now);
});
