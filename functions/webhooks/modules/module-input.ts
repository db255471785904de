import * as z from 'zod';
import { MODULE_IDS, moduleIn } from './module.ts';

/** A module by its id or display name. */
export const ModuleInput = z
  .string()
  .transform((text, context) => {
    const id = moduleIn(text);
    if (id) return id;
    context.addIssue({ code: 'custom', message: `must be one of ${MODULE_IDS.join(', ')}` });
    return z.NEVER;
  })
  .meta({ enum: MODULE_IDS, description: 'The id of the module. Its name is accepted too.' });

/** A module in answers. */
export const ModuleId = z.enum(MODULE_IDS).meta({ id: 'ModuleId', description: 'A module, whose events fire rules.' });
