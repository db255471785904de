import { Construct } from 'constructs';
import type { Foundations } from '../../stacks/foundations.ts';
import { addAnnouncements } from './announcements.ts';
import { addErasure } from './erasure.ts';
import { addManagement } from './management.ts';
import { addSubmissions } from './submissions.ts';
import { addWorkflow } from './workflow.ts';

/** Receipts and photos that customers submit, and what they are decided to be. */
export class Images extends Construct {
  constructor(scope: Construct, id: string, on: Foundations) {
    super(scope, id);
    addSubmissions(this, on);
    addManagement(this, on);
    addWorkflow(this, on);
    addAnnouncements(this, on);
    addErasure(this, on);
  }
}
