import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { appFields } from '#shared/loyalty/app';
import { AppChange, NewApp } from './app-settings.ts';

const App = named(
  'App',
  z.object({
    id: z.string(),
    apiKey: z.string().describe('The same as the id.'),
    ...appFields,
    createdAt: Time,
  }),
  'An application or site that calls the loyalty interfaces.',
);

const AppWithSecret = named(
  'AppWithSecret',
  App.extend({ apiSecret: z.string().describe('Shown this once.') }),
  'An app whose secret was made by this call.',
);

const one = { path: ItemPath, answers: { 200: App } };

/** Operations on apps. */
export const appOperations = operations({
  createApp: {
    route: 'POST /manage/v1/loyalty/apps',
    summary: 'Create an app',
    body: NewApp,
    example: { name: 'Acme Rewards', distanceUnit: 'mi', checkInsPerDay: 5 },
    answers: { 201: AppWithSecret },
  },
  listApps: {
    route: 'GET /manage/v1/loyalty/apps',
    summary: 'List apps',
    query: PageQuery,
    answers: { 200: pageOf('AppPage', App) },
  },
  getApp: { route: 'GET /manage/v1/loyalty/apps/{id}', summary: 'Get an app', ...one },
  changeApp: {
    route: 'PATCH /manage/v1/loyalty/apps/{id}',
    summary: 'Change the settings of an app',
    description: 'Settings that are absent stay as they are.',
    ...one,
    body: AppChange,
    example: { cooldownSeconds: 3600 },
  },
  deleteApp: {
    route: 'DELETE /manage/v1/loyalty/apps/{id}',
    summary: 'Delete an app',
    description: 'Its key is refused within ten seconds.',
    path: ItemPath,
    answers: { 204: undefined },
  },
  replaceAppSecret: {
    route: 'POST /manage/v1/loyalty/apps/{id}/secret',
    summary: 'Replace the secret of an app',
    description: 'The old secret is refused within ten seconds.',
    path: ItemPath,
    answers: { 201: AppWithSecret },
  },
});
