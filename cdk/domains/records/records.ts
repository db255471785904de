import { Construct } from 'constructs';
import type { Foundations } from '../../stacks/foundations.ts';
import { addAnnouncements } from './announcements.ts';
import { addDownloads } from './downloads.ts';
import { addErasure } from './erasure.ts';
import { addImports } from './imports.ts';

/** Import, search and download of business, product and property records. */
export class Records extends Construct {
  constructor(scope: Construct, id: string, on: Foundations) {
    super(scope, id);
    addImports(this, on);
    addDownloads(this, on);
    addAnnouncements(this, on);
    addErasure(this, on);
  }
}
