import type { DocumentPath } from '../documents/documents.ts';
import { CONVERSIONS_GUIDE, DATA_GUIDE, type Guide, LOYALTY_GUIDE, MANAGEMENT_GUIDE } from './guide.ts';

/** The guide of each document. */
export const GUIDES: Readonly<Record<DocumentPath, Guide>> = {
  '/v1/openapi.json': CONVERSIONS_GUIDE,
  '/manage/v1/openapi.json': MANAGEMENT_GUIDE,
  '/v3/openapi.json': DATA_GUIDE,
  '/loyalty/openapi.json': LOYALTY_GUIDE,
};
