import * as z from 'zod';
import { ReadOnly } from '#shared/http/answer-schemas';
import { AppSettings, appFields } from '#shared/loyalty/app';

export const NewApp = AppSettings.meta({ id: 'NewApp' });

/**
 * The settings to change. Answers may be sent back as they are, so what they show besides the settings is accepted and
 * ignored.
 */
export const AppChange = z
  .strictObject({
    ...z.object(appFields).partial().shape,
    id: ReadOnly,
    apiKey: ReadOnly,
    createdAt: ReadOnly,
  })
  .transform(({ id: _id, apiKey: _key, createdAt: _created, ...change }) => change)
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ id: 'AppChange' });
export type AppChange = z.output<typeof AppChange>;
