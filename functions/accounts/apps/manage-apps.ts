import { noSuch } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import type { App, AppSettings, KnownApp } from '#shared/loyalty/app';
import { appSecretHash, newAppSecret } from '#shared/loyalty/app-secret';

export interface Apps {
  /** False if the id is taken. */
  add(app: KnownApp): Promise<boolean>;
  byId(key: TenantKey): Promise<App | undefined>;
  /** The app as changed, undefined if the tenant has none with this id. */
  change(key: TenantKey, change: Partial<AppSettings & Pick<KnownApp, 'secretHash'>>): Promise<App | undefined>;
  /** False if the tenant has none with this id. */
  remove(key: TenantKey): Promise<boolean>;
  list(tenant: string, page: PageQuery): Promise<Page<App>>;
}

/** Makes an app. Its secret is returned here and never again. */
export async function createApp(
  apps: Apps,
  settings: AppSettings,
  { now, ...key }: TenantKey & { readonly now: number },
): Promise<{ app: App; secret: string }> {
  const secret = newAppSecret();
  const app: App = { ...settings, ...key, createdAt: isoTime(now) };
  if (await apps.add({ ...app, secretHash: appSecretHash(secret) })) return { app, secret };
  throw new Error('Two apps with random ids of 120 bits have the same id.');
}

export async function appById(apps: Apps, key: TenantKey): Promise<App> {
  return (await apps.byId(key)) ?? noSuch('app');
}

export async function changeApp(apps: Apps, key: TenantKey, change: Partial<AppSettings>): Promise<App> {
  return (await apps.change(key, change)) ?? noSuch('app');
}

/** A new secret in place of the old one, which functions that know it accept for up to ten seconds more. */
export async function replaceSecret(apps: Apps, key: TenantKey): Promise<{ app: App; secret: string }> {
  const secret = newAppSecret();
  const app = (await apps.change(key, { secretHash: appSecretHash(secret) })) ?? noSuch('app');
  return { app, secret };
}

export async function deleteApp(apps: Apps, key: TenantKey): Promise<void> {
  if (!(await apps.remove(key))) noSuch('app');
}

/** The app as the management API shows it. */
export const presentApp = (app: App) => ({
  id: app.id,
  apiKey: app.id,
  name: app.name,
  distanceUnit: app.distanceUnit,
  placesEnabled: app.placesEnabled,
  imagesEnabled: app.imagesEnabled,
  radiusMeters: app.radiusMeters,
  limit: app.limit,
  acceptedDistanceMeters: app.acceptedDistanceMeters,
  cooldownSeconds: app.cooldownSeconds,
  checkInsPerDay: app.checkInsPerDay,
  checkInsPerBrandAndDay: app.checkInsPerBrandAndDay,
  imagesPerRecord: app.imagesPerRecord,
  submissionsPerDay: app.submissionsPerDay,
  createdAt: app.createdAt,
});
