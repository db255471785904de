import * as z from 'zod/mini';
import { Assets } from '../assets/asset-paths.ts';
import { EMBEDDED } from '../assets/embedded.ts';
import type { Presenting } from './present.tsx';

/** The settings of pages. Origins beside the console's own are separated by spaces. */
export const pageSettings = {
  PRODUCT_NAME: z.string(),
  /** Pictures come from there. */
  IMAGE_ORIGINS: z.string(),
  /** Scripts put parts of files there. */
  UPLOAD_ORIGINS: z.string(),
};

interface PageSettings {
  readonly PRODUCT_NAME: string;
  readonly IMAGE_ORIGINS: string;
  readonly UPLOAD_ORIGINS: string;
}

const originsIn = (text: string): string[] => [...new Set(text.split(' ').filter(Boolean))];

/** Everything that pages are presented with. */
export const presentingWith = ({ PRODUCT_NAME, IMAGE_ORIGINS, UPLOAD_ORIGINS }: PageSettings): Presenting => ({
  productName: PRODUCT_NAME,
  assets: new Assets(EMBEDDED),
  headers: {
    imageOrigins: originsIn(IMAGE_ORIGINS),
    uploadOrigins: originsIn(UPLOAD_ORIGINS),
  },
});
