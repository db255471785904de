import * as z from 'zod/mini';
import { Assets } from '../assets/asset-paths.ts';
import { EMBEDDED } from '../assets/embedded.ts';
import type { Presenting } from './present.tsx';

/** The origins beside the console's own that pages may use, separated by spaces. */
export const pageOrigins = {
  /** Pictures come from there. */
  IMAGE_ORIGINS: z.string(),
  /** Scripts put parts of files there. */
  UPLOAD_ORIGINS: z.string(),
};

interface PageOrigins {
  readonly IMAGE_ORIGINS: string;
  readonly UPLOAD_ORIGINS: string;
}

const originsIn = (text: string): string[] => [...new Set(text.split(' ').filter(Boolean))];

/** Everything that pages are presented with. */
export const presentingWith = ({ IMAGE_ORIGINS, UPLOAD_ORIGINS }: PageOrigins): Presenting => ({
  assets: new Assets(EMBEDDED),
  headers: {
    imageOrigins: originsIn(IMAGE_ORIGINS),
    uploadOrigins: originsIn(UPLOAD_ORIGINS),
  },
});
