import { resource } from '#shared/env';

/** The table of sessions, submitted forms and sign-in attempts. */
export const consoleTable = { CONSOLE_TABLE: resource };
