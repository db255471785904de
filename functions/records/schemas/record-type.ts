import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';
import { RECORD_TYPES } from './schema.ts';

export const RecordTypeName = named('RecordType', z.enum(RECORD_TYPES));

/** The `{type}` in a path. Any text is accepted here, because another type is a 404. */
const TypeInPath = z.string();
z.globalRegistry.add(TypeInPath, { enum: [...RECORD_TYPES] });
export const RecordTypePath = z.object({ type: TypeInPath });
